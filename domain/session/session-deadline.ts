/** How long a session lives. Source: link-lifecycle 3 and interface settings LINK_SESSION_TTL, CONNECT_IDLE, CONNECT_TOTAL. */
export interface SessionLifetimes {
  unopenedMs: number;
  idleMs: number;
  totalMs: number;
}

/** The deadline of a session nobody has opened yet. */
export function unopenedDeadline(createdAt: Date, lifetimes: SessionLifetimes): Date {
  return new Date(createdAt.getTime() + lifetimes.unopenedMs);
}

/** The deadlines that begin with the first opening. */
export function deadlinesAtOpening(
  now: Date,
  lifetimes: SessionLifetimes,
): { expiresAt: Date; totalExpiresAt: Date } {
  const totalExpiresAt = new Date(now.getTime() + lifetimes.totalMs);
  return { expiresAt: idleDeadline(now, totalExpiresAt, lifetimes), totalExpiresAt };
}

/** The deadline after an accepted step: idle time from now, never past the total. */
export function idleDeadline(now: Date, totalExpiresAt: Date, lifetimes: SessionLifetimes): Date {
  return new Date(Math.min(now.getTime() + lifetimes.idleMs, totalExpiresAt.getTime()));
}
