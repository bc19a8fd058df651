import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';

/**
 * Erases the investments of a locked link with its accounts, by `eraseAccounts`, and then the
 * securities that no other link has: the name of a private fund is data of its owner.
 */
export async function eraseInvestments(
  tx: Tx,
  linkPk: bigint,
  eraseAccounts: () => Promise<unknown>,
): Promise<void> {
  const securities = await tx.$queryRawUnsafe<{ pk: bigint }[]>(
    loadSql('securities-of-link'),
    linkPk,
  );
  await tx.investmentTransactionVersion.deleteMany({ where: { linkPk } });
  await eraseAccounts();
  if (securities.length > 0)
    await tx.$executeRawUnsafe(
      loadSql('erase-securities'),
      securities.map(({ pk }) => pk),
    );
}
