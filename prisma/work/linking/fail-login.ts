import type { Step } from '../../../domain/session/connect-step.js';
import { FAILURE_MEANINGS } from '../../../domain/errors/failure-mapping.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { LinkSession } from '../../generated/client.js';
import { lockLink, transitionLink } from '../../links/link/link-transition.js';
import { noteFailure } from '../../sources/routing/route-failures.js';
import { showStep } from '../../links/sessions/show-step.js';
import { forgetListing } from '../../sources/permissions/accepted-login.js';
import { releaseLogin } from '../../sources/permissions/release-permission.js';

/**
 * login_failed of a locked session: records the reason on the link, if it was connecting, and shows
 * it to the user. The permission that the login received stays for a retry, unless only another
 * login can help.
 */
export async function failLogin(
  ctx: Context,
  tx: Tx,
  session: LinkSession,
  cause: ProviderCause,
  shown: { seq: number; step: Step },
): Promise<void> {
  const meaning = FAILURE_MEANINGS[cause];
  const link = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
  if (link?.state === 'connecting') {
    await transitionLink(
      ctx,
      tx,
      link.pk,
      { type: 'login_failed', error: meaning.linkError },
      { errorMessage: meaning.text, errorCause: cause },
    );
  }
  const { sessionId, attemptKey } = session;
  if (attemptKey !== null) await noteFailure(tx, { sessionId, attemptKey }, cause);
  if (meaning.retryable) await forgetListing(tx, sessionId);
  else await releaseLogin(ctx, tx, sessionId);
  await showStep(tx, session, shown, { attemptKey: null, bankAccepted: false });
}
