import { ANSWER_RULES, type AnswerRules } from './webhook-format.js';

/** The error of an attempt. Source: webhooks 9, `attempts[].error`. */
export type AttemptError = 'timeout' | 'connect' | 'tls' | 'address_refused' | 'http_status';

export interface AttemptOutcome {
  httpStatus: number | null;
  error: AttemptError | null;
  /** The value of a `Retry-After` header, in seconds after the response; null = none. */
  retryAfterSeconds: number | null;
}

export interface DeliverySchedule {
  /**
   * Planned times after the first attempt, in ms, rising, starting with 0 (WEBHOOK_ATTEMPTS_AT).
   */
  attemptsAtMs: readonly number[];
  /** The rules of native webhooks unless given. */
  rules?: AnswerRules;
}

export interface DeliveryProgress {
  /** The start of the first attempt. */
  firstAttemptAt: Date;
  /** The number of attempts made, including this one. */
  attempts: number;
  /** The time by which earlier Retry-After responses moved the plan. */
  shiftMs: number;
}

export type AttemptVerdict =
  | { status: 'delivered' }
  | { status: 'disabled' }
  | { status: 'exhausted' }
  | { status: 'pending'; nextAttemptAt: Date; shiftMs: number };

const RETRY_AFTER_CAP_SECONDS = 24 * 3600;

/**
 * Decides the next step after an attempt. `jitter` is a number in [0, 1): each gap between two
 * planned times is varied by ± 10 %, unless the rules specify otherwise. Sources: webhooks 8.1,
 * 8.2; plaid-compat 8.3.
 */
export function judgeAttempt(
  outcome: AttemptOutcome,
  progress: DeliveryProgress,
  schedule: DeliverySchedule,
  now: Date,
  jitter: number,
): AttemptVerdict {
  const status = outcome.httpStatus;
  const { isAccepted, followsReceiver, variation } = schedule.rules ?? ANSWER_RULES.native;
  if (outcome.error === null && status !== null && isAccepted(status))
    return { status: 'delivered' };
  if (status === 410 && followsReceiver) return { status: 'disabled' };
  const planned = schedule.attemptsAtMs[progress.attempts];
  const previous = schedule.attemptsAtMs[progress.attempts - 1];
  if (planned === undefined || previous === undefined) return { status: 'exhausted' };

  const gap = (planned - previous) * (1 - variation + 2 * variation * jitter);
  const base = progress.firstAttemptAt.getTime() + previous + progress.shiftMs;
  const byPlan = Math.max(base + gap, now.getTime());
  const asked =
    followsReceiver && retryAfterHonored(status) && outcome.retryAfterSeconds !== null
      ? now.getTime() + Math.min(outcome.retryAfterSeconds, RETRY_AFTER_CAP_SECONDS) * 1000
      : 0;
  const next = Math.max(byPlan, asked);
  return {
    status: 'pending',
    nextAttemptAt: new Date(next),
    shiftMs: progress.shiftMs + Math.max(0, Math.round(next - byPlan)),
  };
}

function retryAfterHonored(status: number | null): boolean {
  return status === 429 || status === 503;
}

/** Reads a `Retry-After` header: seconds or an HTTP date. Null when absent or unreadable. */
export function parseRetryAfter(header: string | null | undefined, now: Date): number | null {
  if (header === null || header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // An HTTP date starts with the name of a day; Date.parse would also accept text like "-5".
  const at = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
