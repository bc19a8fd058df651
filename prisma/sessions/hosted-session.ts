import type { SessionOptions } from '../../domain/session/session-options.js';

/** Whether a session was made for the hosted page. */
export function isHosted({ options }: { options: unknown }): boolean {
  // Only LinkSessionRepository.create writes this column.
  const stored = options as SessionOptions | null;
  return stored !== null && stored.hosted !== null;
}
