import { allHandlersFinished, condition, upsertSearchAttributes } from '@temporalio/workflow';
import { runSession } from '../connect-steps/run-session.js';
import { SEARCH_ATTRIBUTES } from '../search-attributes.js';
import type { LinkSessionInput, LinkSessionResult } from './link-session.contract.js';

/** A new link, from the choice of a bank to the exchange of its token. */
export async function linkSession(input: LinkSessionInput): Promise<LinkSessionResult> {
  const { outcome } = await runSession(input, 'link');
  if (outcome === 'exchanged') upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.linkState, value: 'connected' }]);
  await condition(allHandlersFinished);
  return { outcome };
}
