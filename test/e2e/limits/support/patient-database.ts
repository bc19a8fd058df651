import type { DatabaseTimeouts } from '../../../../prisma/base/database/database.js';

/**
 * A call waits until its test releases what it waits for, however slow this computer is. Only without a share of its own would
 * a call wait for a connection until it fails.
 */
const MINUTES = 600_000;
export const PATIENT: Partial<DatabaseTimeouts> = {
  connect: 30_000,
  turn: MINUTES,
  query: MINUTES,
  statement: MINUTES,
  lock: MINUTES,
  idleInTransaction: MINUTES,
  transaction: MINUTES,
};
