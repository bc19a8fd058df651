import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';

/** The keys of the securities of a locked link, before its data is erased. */
export async function securitiesOf(tx: Tx, linkPk: bigint): Promise<bigint[]> {
  const rows = await tx.$queryRawUnsafe<{ pk: bigint }[]>(loadSql('securities-of-link'), linkPk);
  return rows.map(({ pk }) => pk);
}

/**
 * Erases those of the securities that no link has any more: the name of a private fund is data of
 * its owner.
 */
export async function eraseUnused(tx: Tx, securities: readonly bigint[]): Promise<void> {
  if (securities.length > 0) await tx.$executeRawUnsafe(loadSql('erase-securities'), securities);
}
