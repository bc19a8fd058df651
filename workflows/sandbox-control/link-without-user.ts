import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { LoginActivities } from '../../activities/linking/login-activities.js';
import { PRODUCTS } from '../../domain/link/products.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { INTERACTIVE } from '../activity-options.js';
import { linkingSteps } from '../linking-steps.js';
import { endOfActivity } from '../provider-cause.js';
import { providerQueue } from '../task-queues.js';
import type { SandboxAction } from './sandbox-control.contract.js';

/** There is one step, and no user to see it. */
const STEP = 1;

/**
 * Makes the same changes as Connect: a login, every product and account shared, success. Returns
 * false if the login failed.
 */
export async function linkWithoutUser({
  sessionId,
  institutionId,
  loginWithinMs,
}: Extract<SandboxAction, { kind: 'link' }>): Promise<boolean> {
  const linking = linkingSteps();
  const login = await linking.beginRedirectLogin({ sessionId, institutionId, seq: STEP });
  if ('problem' in login) {
    await linking.cancelSession(sessionId);
    return false;
  }
  const bank = proxyActivities<LoginActivities>({
    ...INTERACTIVE,
    startToCloseTimeout: loginWithinMs,
    taskQueue: providerQueue(login.provider),
    summary: `log in at ${institutionId} without a user`,
  });
  try {
    await bank.logInWithoutPerson({
      sessionId,
      provider: login.provider,
      attemptKey: login.attemptKey,
    });
    await linking.finishLinking({
      sessionId,
      seq: STEP,
      accepted: false,
      granted: [...PRODUCTS],
      refs: 'all',
    });
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    // No user can try again, so the link and the session record the outcome immediately.
    await linking.failLogin({ sessionId, seq: STEP, accepted: false, cause: causeOf(error) });
    await linking.cancelSession(sessionId);
    return false;
  }
}

/** Any error other than a failed bank call is an internal failure. */
function causeOf(error: unknown): ProviderCause {
  if (!(error instanceof ActivityFailure)) return 'internal';
  const end = endOfActivity(error);
  return end.kind === 'failed' ? end.cause : 'internal';
}
