import { closesMissingSince, type Absence } from '../../../domain/accounts/absence.js';
import type { FetchedAccount } from '../../../domain/refresh/fetched-data.js';
import { recognizeAccounts } from '../../../domain/accounts/recognize-accounts.js';
import { mayLackData, type IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import { loadSql } from '../../base/database/load-sql.js';
import { clockOf } from '../../worlds/world-clock.js';
import { knownAccounts, listedAccount, reportedAccounts } from './known-accounts.js';
import { newAccount } from './new-account.js';
import { announceAccounts } from '../../announcements/events/announce-accounts.js';
import type { Link } from '../../generated/client.js';

/**
 * The standing of a link's accounts after a list: at least one is `listed`; all are `gone`; or
 * `unknown`, if the list does not report on one, or if there are none.
 */
export type AccountStanding = 'listed' | 'gone' | 'unknown';

export interface StoredAccounts {
  /** The number of changed rows. */
  changed: number;
  standing: AccountStanding;
}

/** The meaning of an account's absence from a list. */
export interface Completeness {
  incomplete?: readonly IncompleteAccount[];
  absence?: Absence | undefined;
}

/**
 * Updates the permitted accounts of a locked link from the institution's current list. An account
 * that was reissued under another provider id is recognized as in a relink (link-lifecycle 8) and
 * keeps its id; one that the user shared while it could not be read is added. An account that is
 * missing from an incomplete list stays as it is; otherwise it counts as missing from now on, and
 * is closed according to `absence`.
 */
export async function storeListedAccounts(
  ctx: Context,
  tx: Tx,
  link: Link,
  accounts: readonly FetchedAccount[],
  { incomplete = [], absence = 'closed' }: Completeness = {},
): Promise<StoredAccounts> {
  const now = await clockOf(ctx, tx, link);
  const closesSince = closesMissingSince(absence, now);
  const listed = [
    ...new Map(accounts.map((account) => [account.providerAccountId, account])).values(),
  ];
  const unreported = await unreportedAccounts(tx, link, listed, incomplete);
  await renameReissued(ctx, tx, link, listed, incomplete);
  await addAwaited(ctx, tx, link, listed);
  await announceAccounts(ctx, tx, link, {
    listed: listed.map(({ providerAccountId }) => providerAccountId),
    unreported,
    isClosing: ({ missingSince }) => (missingSince ?? now) <= closesSince,
  });
  const { pk: linkPk } = link;
  const [stored] = await tx.$queryRawUnsafe<StoredAccounts[]>(
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
    unreported,
    now,
    closesSince,
  );
  return stored ?? { changed: 0, standing: 'unknown' };
}

/**
 * Adds those listed accounts that the user shared when they could not be read. One that has just
 * been recognized as a known account is shared together with it.
 */
async function addAwaited(
  ctx: Context,
  tx: Tx,
  link: Link,
  listed: readonly FetchedAccount[],
): Promise<void> {
  const awaited = new Set(link.awaitedAccounts);
  const found = listed.flatMap((account, position) =>
    awaited.delete(account.providerAccountId)
      ? [{ ...newAccount(ctx, link, account, position), permitted: true }]
      : [],
  );
  if (found.length === 0) return;
  const ids = found.map(({ providerAccountId }) => providerAccountId);
  await tx.account.updateMany({
    where: { linkPk: link.pk, providerAccountId: { in: ids } },
    data: { permitted: true },
  });
  await tx.account.createMany({ data: found, skipDuplicates: true });
  await tx.link.update({ where: { pk: link.pk }, data: { awaitedAccounts: [...awaited] } });
}

/**
 * Provider ids of the accounts that a list does not report on; for an unknown account, any missing
 * one.
 */
async function unreportedAccounts(
  tx: Tx,
  { pk: linkPk, announcedAccounts }: Link,
  listed: readonly FetchedAccount[],
  incomplete: readonly IncompleteAccount[],
): Promise<string[]> {
  if (incomplete.length === 0) return [];
  const stored = await tx.account.findMany({
    where: { linkPk },
    select: { providerAccountId: true },
  });
  const known = [...announcedAccounts, ...stored.map(({ providerAccountId: id }) => id)];
  const isListed = new Set(listed.map(({ providerAccountId }) => providerAccountId));
  const isLacking = mayLackData(incomplete);
  return [...new Set(known)].filter((id) => isLacking(id) && !isListed.has(id));
}

/** Assigns new provider ids to reissued accounts. */
async function renameReissued(
  ctx: Context,
  tx: Tx,
  link: Link,
  accounts: readonly FetchedAccount[],
  incomplete: readonly IncompleteAccount[],
): Promise<void> {
  const stored = await tx.account.findMany({
    where: { linkPk: link.pk },
    select: { providerAccountId: true },
  });
  const have = new Set(stored.map(({ providerAccountId }) => providerAccountId));
  const isListed = new Set(accounts.map(({ providerAccountId }) => providerAccountId));
  // Only a missing account can reappear as a new one.
  if ([...isListed].every((id) => have.has(id)) || [...have].every((id) => isListed.has(id)))
    return;
  const listed = accounts.map(listedAccount);
  for (const [listing, known] of recognizeAccounts(
    reportedAccounts(await knownAccounts(ctx, tx, link), listed, incomplete),
    listed,
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
