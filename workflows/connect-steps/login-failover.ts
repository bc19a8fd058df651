import { patched } from '@temporalio/workflow';
import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type { StartedLogin } from '../../activities/linking/session-state.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';

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

  /** The login through another provider; null = the failure stands. Starts nothing at the bank. */
  async next(
    cause: ProviderCause,
    { institutionId, provider: failed }: StartedLogin,
    seq: number,
  ): Promise<StartedLogin | null> {
    if (this.isUsedUp) return null;
    if (cause !== 'provider_down' && cause !== 'institution_down') return null;
    // Histories recorded before another route was tried end in the failure.
    if (!patched('login-failover')) return null;
    this.isUsedUp = true;
    const { sessionId } = this;
    return this.linking.takeNextRoute({ sessionId, institutionId, seq, failed });
  }
}
