import { setTimeout as pause } from 'node:timers/promises';

const GATHER_MS = 5;

/** So many at once: there is a backlog. */
export const MANY = 16;

/**
 * After many at once the next come one by one; taking several of them together costs the database and us far less.
 * @param afterFewMs how long to wait otherwise
 */
export async function gather(justTaken: number, afterFewMs = 0): Promise<void> {
  const ms = justTaken >= MANY ? GATHER_MS : afterFewMs;
  if (ms > 0) await pause(ms);
}
