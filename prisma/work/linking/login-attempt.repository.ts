import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import type { RowPhase } from '../../../domain/session/session-phase.js';
import type { Context } from '../../base/context.js';
import { Prisma } from '../../generated/client.js';
import { failLogin } from './fail-login.js';
import { abandonLogin } from './abandon-login.js';
import { lockOpenSession } from '../../links/sessions/lock-open-session.js';
import { releaseLogin } from '../../sources/permissions/release-permission.js';
import { USED_TOKEN } from '../../base/sealing/session-secret.js';
import { showStep, withoutExtension, type ShownStep } from '../../links/sessions/show-step.js';

/** Ends of an attempt without success, after which its session continues. */
export class LoginAttemptRepository {
  constructor(private readonly ctx: Context) {}

  /** login_failed: records the reason on the link and shows it to the user, in one transaction. */
  async failLogin(sessionId: string, cause: ProviderCause, shown: ShownStep): Promise<void> {
    await this.ctx.database.transaction(async (tx) =>
      failLogin(this.ctx, tx, await lockOpenSession(tx, sessionId), cause, shown),
    );
  }

  /**
   * The user left, or chose another institution: ends the attempt; the session continues and shows `shown`. No effect after
   * success. Source: connect 4 (exit), link-lifecycle 6.2 (given_up_before, given_up_after).
   */
  async exitAttempt(sessionId: string, shown: ShownStep): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const session = await lockOpenSession(tx, sessionId);
      if (session.state === 'succeeded') return;
      await abandonLogin(this.ctx, tx, session);
      await releaseLogin(this.ctx, tx, sessionId);
      await tx.sessionSecret.deleteMany({ where: { sessionId, kind: { not: USED_TOKEN } } });
      await tx.oAuthState.deleteMany({ where: { sessionId } });
      // A relink stays at its institution.
      const institutionId = session.beganAs === 'relink' ? session.institutionId : null;
      await showStep(tx, session, shown, {
        ...withoutExtension(session),
        institutionId,
        attemptKey: null,
        bankAccepted: false,
        // The next opening starts over, in a session for one bank with its login.
        ...(shown.step.kind === 'wait' ? { phase: 'unopened' satisfies RowPhase } : {}),
        grantedProducts: Prisma.DbNull,
        preparedStep: Prisma.DbNull,
      });
    });
  }
}
