import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type { OfferedRedirect, StartedLogin } from '../../activities/linking/session-state.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { FAILOVER_CAUSES } from '../../domain/institutions/route-failover.js';

/** Another provider for a login that could not reach its own: once for each choice of a bank. */
export class LoginFailover {
  private isUsedUp = false;

  constructor(
    private readonly linking: LinkingActivities,
    private readonly sessionId: string,
  ) {}

  /** The user chose a bank. */
  reset(): void {
    this.isUsedUp = false;
  }

  /** The login through another provider, or the offer of its redirect; null = the failure stands. */
  async next(
    cause: ProviderCause,
    { institutionId, provider: failed, attemptKey: failedAttempt }: StartedLogin,
    seq: number,
  ): Promise<StartedLogin | OfferedRedirect | null> {
    if (this.isUsedUp || !FAILOVER_CAUSES.includes(cause)) return null;
    this.isUsedUp = true;
    const { sessionId } = this;
    return this.linking.takeNextRoute({
      sessionId,
      institutionId,
      seq,
      failed,
      failedAttempt,
      cause,
    });
  }
}
