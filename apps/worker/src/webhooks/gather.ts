import { setTimeout as pause } from 'node:timers/promises';

const GATHER_MS = 5;

/** So many at once: there is a backlog. */
export const MANY = 16;

/** After many at once the next come one by one; taking several of them together costs the database and us far less. */
export async function gather(justTaken: number): Promise<void> {
  if (justTaken >= MANY) await pause(GATHER_MS);
}
