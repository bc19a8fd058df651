import { ApiError } from '../../../../../domain/errors/api-errors.js';
import type { SessionRecord } from '../../../../../prisma/links/sessions/session-record.js';

/** Ends caused by a time limit; every other end is `session_closed`. */
const BY_TIME = new Set<string | null>(['expired', 'exchange_window_over']);

/**
 * The error for a call to a finished session; null while it is live. The column decides, not
 * the sweeper. Source: connect 6.
 */
export function endOf(session: SessionRecord, now: Date): ApiError | null {
  if (session.state === 'ended') {
    if (session.endReason === 'superseded') return new ApiError('connect_error.session_moved');
    return new ApiError(
      BY_TIME.has(session.endReason)
        ? 'connect_error.session_expired'
        : 'connect_error.session_closed',
    );
  }
  return session.expiresAt.getTime() <= now.getTime()
    ? new ApiError('connect_error.session_expired')
    : null;
}

export function assertLive(session: SessionRecord, now = new Date()): void {
  const end = endOf(session, now);
  if (end !== null) throw end;
}
