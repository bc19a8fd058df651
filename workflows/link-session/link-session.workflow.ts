import { allHandlersFinished, condition } from '@temporalio/workflow';
import { runSession } from '../connect-steps/run-session.js';
import type { LinkSessionInput, LinkSessionResult } from './link-session.contract.js';

/**
 * A new link, from the choice of a bank to the exchange of its token, or the extension of an
 * existing link if the user prefers that.
 */
export async function linkSession(input: LinkSessionInput): Promise<LinkSessionResult> {
  const { outcome } = await runSession(input, 'link');
  await condition(allHandlersFinished);
  return { outcome: outcome === 'succeeded' ? 'extended' : outcome };
}
