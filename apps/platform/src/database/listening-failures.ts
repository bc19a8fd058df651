import type { Logger } from '../logging/logger.js';
import { OnceAMinute } from '../logging/once-a-minute.js';

/**
 * Logs why a process receives no notifications of PostgreSQL: each cause immediately, and at most once a minute while it lasts. A
 * listener tries again every second.
 *
 * @param now milliseconds; missing: the clock
 */
export function logListeningFailures(
  logger: Logger,
  now: () => number = Date.now,
): (error: Error) => void {
  const lines = new OnceAMinute(now);
  return (err) => {
    // Node's error for several addresses of a host has no message.
    const cause = err.message || String((err as { code?: unknown }).code);
    // Log: once a minute for each cause.
    if (lines.lets(cause)) logger.warn({ err }, 'database.listening_failed');
  };
}
