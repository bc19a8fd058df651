import type { FetchedAccount } from '../../domain/refresh/fetched-data.js';
import { recogniseAccounts } from '../../domain/accounts/recognise-accounts.js';
import type { Context } from '../context.js';
import type { Tx } from '../database/tx.js';
import { loadSql } from '../database/load-sql.js';
import { knownAccounts, listedAccount } from './known-accounts.js';
import { announceAccounts } from '../events/announce-accounts.js';
import type { LinkRow } from '../events/record-webhook-event.js';

/**
 * Brings the permitted accounts of a locked link to what the institution lists now. One that was issued anew under
 * another id is recognised as in a relink (link-lifecycle 8) and keeps ours. Answers how many rows changed.
 */
export async function storeListedAccounts(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  accounts: readonly FetchedAccount[],
): Promise<number> {
  const listed = [
    ...new Map(accounts.map((account) => [account.providerAccountId, account])).values(),
  ];
  await renameReissued(ctx, tx, link, listed);
  await announceAccounts(
    ctx,
    tx,
    link,
    listed.map(({ providerAccountId }) => providerAccountId),
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
  );
  return rows[0]?.changed ?? 0;
}

/** Gives stored accounts the new ids of their provider. Only a source that says what tells accounts apart can show one of them under another. */
async function renameReissued(
  ctx: Context,
  tx: Tx,
  link: LinkRow,
  accounts: readonly FetchedAccount[],
): Promise<void> {
  if (!accounts.some(({ marks }) => marks !== undefined)) return;
  const stored = await tx.account.findMany({
    where: { linkPk: link.pk },
    select: { providerAccountId: true },
  });
  const have = new Set(stored.map(({ providerAccountId }) => providerAccountId));
  if (accounts.every(({ providerAccountId }) => have.has(providerAccountId))) return;
  for (const [listing, known] of recogniseAccounts(
    await knownAccounts(ctx, tx, link),
    accounts.map(listedAccount),
  )) {
    if (known.providerAccountId === listing.providerAccountId) continue;
    await tx.account.update({
      where: { pk: known.row.pk },
      data: { providerAccountId: listing.providerAccountId },
    });
    // Its rows may come under other ids, too: the next complete fetch compares them by what they say.
    await tx.link.update({ where: { pk: link.pk }, data: { matchRows: true } });
  }
}
