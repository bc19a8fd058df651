/**
 * Lifetimes of a session. Source: link-lifecycle 3 and the settings LINK_SESSION_TTL, CONNECT_IDLE
 * and CONNECT_TOTAL.
 */
export interface SessionLifetimes {
  unopenedMs: number;
  idleMs: number;
  totalMs: number;
}

/** The deadline of a session that has not been opened. */
export function unopenedDeadline(createdAt: Date, lifetimes: SessionLifetimes): Date {
  return new Date(createdAt.getTime() + lifetimes.unopenedMs);
}

/** The deadlines that start when the session is first opened. */
export function deadlinesAtOpening(
  now: Date,
  lifetimes: SessionLifetimes,
): { expiresAt: Date; totalExpiresAt: Date } {
  const totalExpiresAt = new Date(now.getTime() + lifetimes.totalMs);
  return { expiresAt: idleDeadline(now, totalExpiresAt, lifetimes), totalExpiresAt };
}

/** The deadline after an accepted step: the idle time from now, but never past the total. */
export function idleDeadline(now: Date, totalExpiresAt: Date, lifetimes: SessionLifetimes): Date {
  return new Date(Math.min(now.getTime() + lifetimes.idleMs, totalExpiresAt.getTime()));
}
