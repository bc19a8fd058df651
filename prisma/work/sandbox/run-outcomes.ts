import {
  batchesOf,
  type FetchedListing,
  type FetchedProduct,
  type TransactionBatch,
} from '../../../domain/refresh/fetched-data.js';
import type { Product } from '../../../domain/link/products.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';

/** The outcome of fetching one product of a run. */
export type RunOutcome =
  | { kind: 'fetched'; fetched: FetchedProduct }
  | { kind: 'failed'; product: Product; cause: ProviderCause };

/** One step of settling a run. */
export type RunStep = { product: Product } & (
  | { kind: 'failed'; cause: ProviderCause }
  | { kind: 'whole'; fetched: Exclude<FetchedProduct, { product: 'transactions' }> }
  | { kind: 'match'; listing: FetchedListing }
  | { kind: 'rows'; batch: TransactionBatch }
);

/**
 * The steps of a run, grouped by database transaction. There is one group unless a listing is
 * longer than a batch.
 */
export function outcomeGroups(outcomes: readonly RunOutcome[]): RunStep[][] {
  const groups: RunStep[][] = [[]];
  for (const step of outcomes.flatMap(stepsOf)) {
    groups.at(-1)?.push(step);
    if (step.kind === 'rows' && !step.batch.last) groups.push([]);
  }
  return groups;
}

function stepsOf(outcome: RunOutcome): RunStep[] {
  if (outcome.kind === 'failed') return [outcome];
  const { fetched } = outcome;
  if (fetched.product !== 'transactions')
    return [{ kind: 'whole', product: fetched.product, fetched }];
  const { product } = fetched;
  return [
    { kind: 'match', product, listing: fetched },
    ...batchesOf(fetched).map((batch): RunStep => ({ kind: 'rows', product, batch })),
  ];
}
