import type { FetchedAccount } from '../../domain/fetched-data.js';
import type { Tx } from '../database.js';
import { loadSql } from '../sql/load-sql.js';

/** Brings the permitted accounts of a locked link to what the institution lists now. Answers how many rows changed. */
export async function storeListedAccounts(tx: Tx, linkPk: bigint, accounts: readonly FetchedAccount[]): Promise<number> {
  const listed = [...new Map(accounts.map((account) => [account.providerAccountId, account])).values()];
  const rows = await tx.$queryRawUnsafe<{ changed: number }[]>(
    loadSql('store-accounts'),
    linkPk,
    listed.map((account) => account.providerAccountId),
    listed.map((account) => account.accountType),
    listed.map((account) => account.name),
    listed.map((account) => account.mask),
    listed.map((account) => account.currency),
    listed.map((account) => account.available?.toFixed() ?? null),
    listed.map((account) => account.current?.toFixed() ?? null),
    listed.map((account) => account.limit?.toFixed() ?? null),
    listed.map((account) => account.balanceDate?.toISOString() ?? null),
  );
  return rows[0]?.changed ?? 0;
}
