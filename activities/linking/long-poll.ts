import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { LoginOutcome } from '../../providers/contract/provider.js';

const MAX_FAILURES = 3;

export function isStillWaiting(
  outcome: LoginOutcome,
): outcome is Extract<LoginOutcome, { kind: 'step' }> {
  return outcome.kind === 'step' && outcome.step.kind === 'wait';
}

/**
 * Polls a bank and tolerates short outages: a bank that is briefly unreachable has not refused
 * anything.
 */
export class LongPoll {
  private failures = 0;

  constructor(private readonly ask: () => Promise<LoginOutcome>) {}

  /** Null when the bank was unreachable this time. */
  async poll(): Promise<LoginOutcome | null> {
    try {
      const outcome = await this.ask();
      this.failures = 0;
      return outcome;
    } catch (error) {
      this.failures += 1;
      if (
        !(error instanceof ProviderFailure) ||
        !FAILURE_MEANINGS[error.providerCause].retryable ||
        this.failures >= MAX_FAILURES
      )
        throw error;
      return null;
    }
  }
}
