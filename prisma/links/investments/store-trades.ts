import { createHash } from 'node:crypto';
import { makeIds } from '../../../domain/api/ids.js';
import { renderInvestmentTransaction } from '../../../domain/investments/present-investment-transaction.js';
import {
  MAX_BATCH,
  type DayWindow,
  type FetchedTrades,
} from '../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';
import { countUse } from '../../tenants/usage/app-use.js';
import { completeAccounts, storableAccounts } from '../transactions/store-transactions.js';
import { matchTrades, type StorableTrade } from './match-trades.js';
import { storeSecurities } from './store-securities.js';

/**
 * Stores the trades of a locked link in their own log: trades under other ids keep their public
 * ones, unchanged trades are not written, and those that a complete list of their account lacks
 * within its window are removed. `partlyMatched`: the last fetch was incomplete. Returns the number
 * of new versions. Source: native-api 3.14.
 */
export async function storeTrades(
  ctx: Context,
  tx: Tx,
  link: Link,
  { transactions, window, ...ids }: FetchedTrades,
  incomplete: readonly IncompleteAccount[],
  { partlyMatched }: { partlyMatched: boolean },
): Promise<number> {
  const accounts = await storableAccounts(tx, link.pk);
  const fetched = transactions.filter((row) => accounts.has(row.providerAccountId));
  const securityIds = await storeSecurities(
    ctx,
    tx,
    link,
    fetched.map(({ security }) => security),
  );
  const listed = fetched.map((trade, index) => ({
    trade,
    accountId: accounts.get(trade.providerAccountId) ?? '',
    securityId: securityIds[index] ?? null,
  }));
  const rows = await matchTrades(tx, link.pk, accounts, listed, {
    window,
    incomplete,
    reasons: { ...ids, partlyMatched },
  });
  const written = await writeTrades(ctx, tx, link, rows);
  const removed =
    window === null
      ? 0
      : await removeUnseenTrades(
          tx,
          link.pk,
          [...completeAccounts(accounts, incomplete).values()],
          window,
          rows,
        );
  // Each version, tombstones included.
  countUse(ctx, tx, link, { rows: written + removed }, link.pk);
  return written + removed;
}

async function writeTrades(
  ctx: Pick<Context, 'random'>,
  tx: Tx,
  link: Link,
  rows: readonly StorableTrade[],
): Promise<number> {
  const newIds = makeIds('investmentTransaction', rows.length, ctx.random);
  const publicIds = await publicIdsOf(tx, link.pk, rows, newIds);
  let written = 0;
  for (let from = 0; from < rows.length; from += MAX_BATCH) {
    const batch = rows.slice(from, from + MAX_BATCH).map((row, index) => {
      const newId = newIds[from + index] ?? '';
      return { ...row, newId, ...withDigest(row, newId, publicIds) };
    });
    const [counts] = await tx.$queryRawUnsafe<{ created: number; updated: number }[]>(
      loadSql('store-trades'),
      link.pk,
      batch.map(({ trade }) => trade.providerTransactionId),
      batch.map(({ newId }) => newId),
      batch.map(({ accountId }) => accountId),
      batch.map(({ securityId }) => securityId),
      batch.map(({ trade }) => trade.date),
      batch.map(({ trade }) => trade.pending),
      batch.map(({ contentHash }) => contentHash),
      // A line for each row, since JSON has no line breaks: an array would escape every quote.
      batch.map(({ bodyTail }) => bodyTail).join('\n'),
    );
    written += (counts?.created ?? 0) + (counts?.updated ?? 0);
  }
  return written;
}

/** Source id → public id of the rows that other rows refer to. */
interface PublicIds {
  trades: ReadonlyMap<string, string>;
  cashRows: ReadonlyMap<string, string>;
}

/** A row that is referred to may be listed for the first time, or stored long ago. */
async function publicIdsOf(
  tx: Tx,
  linkPk: bigint,
  rows: readonly StorableTrade[],
  newIds: readonly string[],
): Promise<PublicIds> {
  const canceled = rows.flatMap(({ trade }) => trade.cancels ?? []);
  const cash = rows.flatMap(({ trade }) => trade.cashTransactionId ?? []);
  const listed = rows.map(({ trade }, index): [string, string] => [
    trade.providerTransactionId,
    newIds[index] ?? '',
  ]);
  return {
    trades: new Map(
      canceled.length === 0 ? [] : [...listed, ...(await find('known-trades', canceled))],
    ),
    cashRows: new Map(cash.length === 0 ? [] : await find('cash-rows', cash)),
  };

  async function find(statement: string, ids: readonly string[]): Promise<[string, string][]> {
    const found = await tx.$queryRawUnsafe<
      { provider_transaction_id: string; transaction_id: string }[]
    >(loadSql(statement), linkPk, ids);
    return found.map((row) => [row.provider_transaction_id, row.transaction_id]);
  }
}

/** The digest covers every public field but the id, and shows whether the row changed. */
function withDigest(
  { trade, accountId, securityId }: StorableTrade,
  newId: string,
  { trades, cashRows }: PublicIds,
) {
  const body = renderInvestmentTransaction(newId, trade, {
    accountId,
    securityId,
    cancels: trades.get(trade.cancels ?? '') ?? null,
    transactionId: cashRows.get(trade.cashTransactionId ?? '') ?? null,
  });
  const bodyTail = body.slice(`{"investment_transaction_id":"${newId}"`.length);
  return { bodyTail, contentHash: createHash('sha256').update(bodyTail).digest('hex') };
}

async function removeUnseenTrades(
  tx: Tx,
  linkPk: bigint,
  accountIds: readonly string[],
  covered: DayWindow,
  rows: readonly StorableTrade[],
): Promise<number> {
  const [counts] = await tx.$queryRawUnsafe<{ removed: number }[]>(
    loadSql('remove-trades'),
    linkPk,
    covered.from,
    covered.to,
    accountIds,
    rows.map(({ trade }) => trade.providerTransactionId),
  );
  return counts?.removed ?? 0;
}
