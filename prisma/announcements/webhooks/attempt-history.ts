import type { WebhookAttemptFacts } from '../../../domain/webhooks/present-webhook-event.js';
import type { Prisma } from '../../generated/client.js';

/** An attempt in the column `history` of its delivery. */
type StoredAttempt = Omit<WebhookAttemptFacts, 'startedAt'> & {
  /** ISO 8601, in UTC. */
  startedAt: string;
};

export function storedAttempt({
  attempt,
  startedAt,
  durationMs,
  httpStatus,
  error,
  responseExcerpt,
}: WebhookAttemptFacts): StoredAttempt {
  return {
    attempt,
    startedAt: startedAt.toISOString(),
    durationMs,
    httpStatus,
    error,
    responseExcerpt,
  };
}

/** Oldest first. */
export function attemptsIn(history: Prisma.JsonValue): WebhookAttemptFacts[] {
  // Only results of storedAttempt are written there.
  return (history as unknown as StoredAttempt[]).map((attempt) => ({
    ...attempt,
    startedAt: new Date(attempt.startedAt),
  }));
}
