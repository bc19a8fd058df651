import { isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import type {
  DeletionActivities,
  DeletionPlan,
  RevocationActivities,
  RevocationResult,
} from '../../activities/deletion/deletion-activities.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { REVOCATION } from '../activity-options.js';
import type { CurrentDetails } from '../details/current-details.js';
import { endOfActivity } from '../provider-cause.js';
import { providerQueue } from '../task-queues.js';
import type { LinkDeletionInput } from './link-deletion.contract.js';

type Revocation = DeletionPlan['revocations'][number];

/**
 * Revokes the permissions a link left behind. Each revocation is retried until the bank confirms it
 * or its retry period expires.
 */
export class Revocations {
  readonly result = { revoked: 0, givenUp: 0 };
  private readonly started = new Set<string>();
  private inProgress = 0;
  /** A defect in Tributary, which fails the workflow. */
  defect: unknown;

  constructor(
    private readonly input: LinkDeletionInput,
    private readonly deletion: DeletionActivities,
    private readonly details: CurrentDetails,
  ) {}

  get areDone(): boolean {
    return this.inProgress === 0 || this.defect !== undefined;
  }

  start(revocations: readonly Revocation[]): void {
    for (const revocation of revocations.filter(
      ({ revocationId }) => !this.started.has(revocationId),
    )) {
      this.started.add(revocation.revocationId);
      this.inProgress += 1;
      void this.revoke(revocation)
        .catch((error: unknown) => {
          this.defect ??= error;
        })
        .finally(() => {
          this.inProgress -= 1;
          this.details.done(revocation.revocationId);
        });
    }
  }

  private async revoke({ revocationId, provider, giveUpInMs }: Revocation): Promise<void> {
    const retryUntil = Date.now() + giveUpInMs;
    for (let attempt = 1; ; attempt += 1) {
      this.details.waitFor(
        `the bank to end a permission, attempt ${attempt}`,
        { until: retryUntil },
        revocationId,
      );
      const end = await this.attemptOnce({ revocationId, provider, retryUntil, attempt });
      if (end.kind === 'revoked') {
        this.result.revoked += 1;
        return;
      }
      if (end.kind === 'nothing_to_revoke') return;
      const nextAt =
        Date.now() +
        Math.max(
          end.notBeforeMs,
          Math.min(this.input.longestRetryMs, this.input.firstRetryMs * 2 ** (attempt - 1)),
        );
      if (end.cause !== null) this.details.failed(end.cause, revocationId);
      this.details.waitFor(
        'the time of the next attempt to end a permission at the bank',
        { until: nextAt },
        revocationId,
      );
      await sleep(Math.max(0, Math.min(nextAt, retryUntil) - Date.now()), {
        summary: `next attempt to revoke at ${provider}`,
      });
      if (nextAt < retryUntil) continue;
      await this.deletion.giveUpRevocation({ revocationId });
      this.result.givenUp += 1;
      return;
    }
  }

  private async attemptOnce({
    revocationId,
    provider,
    retryUntil,
    attempt,
  }: Attempt): Promise<AttemptEnd> {
    const bank = proxyActivities<RevocationActivities>({
      ...REVOCATION,
      taskQueue: providerQueue(provider),
      // Ends the activity even if no worker serves this provider anymore.
      scheduleToCloseTimeout: Math.max(MIN_TIMEOUT_MS, retryUntil - Date.now()),
      summary: `revoke, attempt ${attempt}`,
    });
    try {
      return await bank.revokePermission({ revocationId });
    } catch (error) {
      if (isCancellation(error)) throw error;
      const end = endOfActivity(error);
      return end.kind === 'failed'
        ? { kind: 'failed', notBeforeMs: end.notBeforeMs, cause: end.cause }
        : { kind: 'failed', notBeforeMs: 0, cause: null };
    }
  }
}

const MIN_TIMEOUT_MS = 1_000;

interface Attempt {
  revocationId: string;
  provider: string;
  retryUntil: number;
  attempt: number;
}

type AttemptEnd =
  | RevocationResult
  | { kind: 'failed'; notBeforeMs: number; cause: ProviderCause | null };
