import {
  ApiError,
  ServiceConnectionError,
  RateLimitError,
  ServiceUnavailableError,
} from '../errors.js';

/** The members of a request that decide whether it may be repeated. */
export interface Repeatability {
  method: string;
  /** True if an `Idempotency-Key` makes a repetition harmless, or the call changes nothing. */
  isIdempotent: boolean;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
/** A longer `Retry-After` is left to the caller. */
const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * The time to wait before the same request is sent again, in milliseconds; undefined if it must not
 * be, or not so soon.
 * @param attempt counts from 0
 * @param random of [0, 1): spreads the callers that failed together
 */
export function waitBeforeRetry(
  error: unknown,
  request: Repeatability,
  attempt: number,
  random: () => number,
): number | undefined {
  if (!mayRepeat(error, isHarmlessTwice(request))) return undefined;
  const { retryAfter = 0 } = error as Partial<RateLimitError>;
  if (retryAfter > MAX_RETRY_AFTER_SECONDS) return undefined;
  // Spreads callers that failed together; never before the time that the service named.
  return retryAfter * 1_000 + random() * Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS);
}

/**
 * A DELETE is not idempotent here: repeated after a lost response, it reports 404 or 410 for what it
 * did itself.
 */
export function isHarmlessTwice({ method, isIdempotent }: Repeatability): boolean {
  return isIdempotent || method === 'GET' || method === 'PATCH';
}

/** A 500 may be the time limit of a request, which the same request would exceed again. */
function mayRepeat(error: unknown, isIdempotent: boolean): boolean {
  // native-api 8: a call beyond a limit has no effect.
  if (error instanceof RateLimitError) return true;
  if (!isIdempotent) return false;
  return (
    error instanceof ServiceConnectionError ||
    error instanceof ServiceUnavailableError ||
    (error instanceof ApiError && error.code === 'api_error.idempotency.in_progress')
  );
}
