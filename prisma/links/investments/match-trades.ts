import { Decimal } from 'decimal.js';
import { jsonNumber } from '../../../domain/api/money.js';
import type { FetchedInvestmentTransaction } from '../../../domain/investments/fetched-investment-transaction.js';
import type { DayWindow } from '../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { MatchReasons, UnknownRow } from '../../../domain/transactions/match-transactions.js';
import type { Tx } from '../../base/database/tx.js';
import { matchListedRows, type MatchedLog } from '../transactions/match-fetched-rows.js';
import type { StorableAccounts } from '../transactions/store-transactions.js';

/** A trade of a storable account, whose security is stored. */
export interface StorableTrade {
  trade: FetchedInvestmentTransaction;
  accountId: string;
  securityId: string | null;
}

const TRADES: MatchedLog = {
  known: 'known-trades',
  unseen: 'unseen-trades',
  sharing: 'trades-sharing-ids',
  rename: 'rename-trades',
};

/**
 * Finds trades of a locked link that the source now reports under another id, by the rules of
 * transactions, and by security and quantity beside the amount. An account of which no trade has
 * kept its id has another source, so the rules for that case are always active. Returns the trades
 * under the ids to store them with.
 */
export async function matchTrades(
  tx: Tx,
  linkPk: bigint,
  accounts: StorableAccounts,
  rows: readonly StorableTrade[],
  fetch: {
    window: DayWindow | null;
    incomplete: readonly IncompleteAccount[];
    reasons: Partial<MatchReasons>;
  },
): Promise<readonly StorableTrade[]> {
  const { window, incomplete, reasons } = fetch;
  const { storedIds } = await matchListedRows(
    tx,
    linkPk,
    accounts,
    TRADES,
    { listed: rows.map(toUnknown), window, incomplete },
    { postedIdsDiffer: false, ...reasons, otherSource: true },
  );
  if (storedIds.size === 0) return rows;
  return rows.map((row) => ({
    ...row,
    trade: {
      ...row.trade,
      providerTransactionId:
        storedIds.get(row.trade.providerTransactionId) ?? row.trade.providerTransactionId,
    },
  }));
}

function toUnknown({ trade, accountId, securityId }: StorableTrade): UnknownRow {
  const { providerTransactionId: id, type, currency, quantity, date, pending, description } = trade;
  const amount = trade.amount ?? new Decimal(0);
  const direction = amount.isZero() ? 0 : amount.s;
  return {
    id,
    accountId,
    amount: amount.abs(),
    type,
    currency,
    // As matchable-trades.sql reads it from a stored row.
    position: `${securityId ?? '-'} ${quantity === null ? '-' : jsonNumber(quantity)} ${direction}`,
    date,
    pending,
    texts: [description],
    replaces: null,
  };
}
