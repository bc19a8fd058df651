import type { SearchAttributePair } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { RefreshPlan } from '../../activities/refresh/refresh-activities.js';
import { refreshAttributes } from './product-refresh.contract.js';

/**
 * Sets the search attributes of a run. An upsert is one of three writes to Temporal's visibility
 * store, so a run whose plan matches the attributes of its start skips it.
 */
export function publishPlan({ products, ...plan }: RefreshPlan): void {
  const all = refreshAttributes({ ...plan, products: products.map(({ product }) => product) });
  const changed = all.filter(isNew);
  if (changed.length > 0) upsertSearchAttributes(changed);
}

function isNew({ key, value }: SearchAttributePair): boolean {
  const known = workflowInfo().typedSearchAttributes.get(key);
  return asText(known) !== asText(value);
}

/** The order of a list has no meaning. */
const asText = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
