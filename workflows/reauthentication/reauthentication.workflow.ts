import { allHandlersFinished, condition } from '@temporalio/workflow';
import { runSession } from '../connect-steps/run-session.js';
import type { ReauthenticationInput, ReauthenticationResult } from './reauthentication.contract.js';

/**
 * Repairs or extends an existing link, from the login at its bank to success. Issues no token.
 * link-lifecycle 8.
 */
export async function reauthentication(
  input: ReauthenticationInput,
): Promise<ReauthenticationResult> {
  const { hasSucceeded } = await runSession(input, 'relink');
  await condition(allHandlersFinished);
  return { outcome: hasSucceeded ? 'succeeded' : 'ended' };
}
