import { allHandlersFinished, condition, upsertSearchAttributes } from '@temporalio/workflow';
import { runSession } from '../connect-steps/run-session.js';
import { linkAttributes, SEARCH_ATTRIBUTES } from '../search-attributes.js';
import type { LinkSessionInput, LinkSessionResult } from './link-session.contract.js';

/** A new link, from the choice of a bank to the exchange of its token. */
export async function linkSession(input: LinkSessionInput): Promise<LinkSessionResult> {
  const { outcome, link } = await runSession(input, 'link');
  // The word of an exchange may come late, or never: then the row has told what became of the link.
  if (outcome === 'exchanged') upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.linkState, value: 'connected' }]);
  else if (link !== null) upsertSearchAttributes(linkAttributes(link));
  await condition(allHandlersFinished);
  return { outcome };
}
