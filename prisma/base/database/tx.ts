import type { Prisma } from '../../generated/client.js';

/** A transaction in progress. */
export type Tx = Prisma.TransactionClient;
