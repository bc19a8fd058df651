import type { BankHttpLimits } from '../../providers/http/http-limits.js';

export type SuiteLimits = Omit<BankHttpLimits, 'connectTimeoutMs'>;

const MAX_RESPONSE_BYTES = 256 * 1024;

/** For counterparts that never finish: a test waits for every one of these. */
export const IMPATIENT: SuiteLimits = {
  maxResponseBytes: MAX_RESPONSE_BYTES,
  silenceTimeoutMs: 500,
  callTimeoutMs: 1_500,
  loginTimeoutMs: 1_500,
};

/** For all others. On a busy machine an immediate response may take a second. */
export const PATIENT: SuiteLimits = {
  maxResponseBytes: MAX_RESPONSE_BYTES,
  silenceTimeoutMs: 20_000,
  callTimeoutMs: 30_000,
  loginTimeoutMs: 30_000,
};
