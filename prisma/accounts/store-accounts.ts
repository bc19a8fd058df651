import type { FetchedAccount } from '../../domain/refresh/fetched-data.js';
import { recognizeAccounts } from '../../domain/accounts/recognize-accounts.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { loadSql } from '../database/load-sql.js';
import { knownAccounts, listedAccount, reportedAccounts } from './known-accounts.js';
import { announceAccounts } from '../events/announce-accounts.js';
import type { Link } from '../generated/client.js';

/**
 * Updates the permitted accounts of a locked link from the institution's current list. An account
 * that was reissued under another provider id is recognized as in a relink (link-lifecycle 8) and
 * keeps its id here. `unreported`: provider ids of accounts of which the list says nothing; they stay
 * as they are. Returns the number of changed rows.
 */
export async function storeListedAccounts(
  ctx: Context,
  tx: Tx,
  link: Link,
  accounts: readonly FetchedAccount[],
  unreported: readonly string[] = [],
): Promise<number> {
  const listed = [
    ...new Map(accounts.map((account) => [account.providerAccountId, account])).values(),
  ];
  await renameReissued(ctx, tx, link, listed, unreported);
  await announceAccounts(
    ctx,
    tx,
    link,
    listed.map(({ providerAccountId }) => providerAccountId),
    unreported,
  );
  const { pk: linkPk } = link;
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
    [...unreported],
  );
  return rows[0]?.changed ?? 0;
}

/**
 * Assigns new provider ids to reissued accounts. This requires a provider that reports what
 * identifies an account.
 */
async function renameReissued(
  ctx: Context,
  tx: Tx,
  link: Link,
  accounts: readonly FetchedAccount[],
  unreported: readonly string[],
): Promise<void> {
  if (!accounts.some(({ identifiers: marks }) => marks !== undefined)) return;
  const stored = await tx.account.findMany({
    where: { linkPk: link.pk },
    select: { providerAccountId: true },
  });
  const have = new Set(stored.map(({ providerAccountId }) => providerAccountId));
  if (accounts.every(({ providerAccountId }) => have.has(providerAccountId))) return;
  for (const [listing, known] of recognizeAccounts(
    reportedAccounts(await knownAccounts(ctx, tx, link), unreported),
    accounts.map(listedAccount),
  )) {
    if (known.providerAccountId === listing.providerAccountId) continue;
    await tx.account.update({
      where: { pk: known.row.pk },
      data: { providerAccountId: listing.providerAccountId },
    });
    // The account's transactions may have new ids as well; the next complete fetch matches them by
    // content.
    await tx.link.update({ where: { pk: link.pk }, data: { matchRows: true } });
  }
}
