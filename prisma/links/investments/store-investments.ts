import type { FetchedInvestments } from '../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';
import { storeHoldings } from './store-holdings.js';
import { storeTrades } from './store-trades.js';

/** The parts of the product that a fetch changed, in rows. */
export interface InvestmentChanges {
  holdings: number;
  transactions: number;
  /** Accounts with holdings that the source no longer lists. */
  unlisted: readonly IncompleteAccount[];
}

/** Stores the holdings and trades of a locked link. `partlyMatched`: its last fetch was incomplete. */
export async function storeInvestments(
  ctx: Context,
  tx: Tx,
  link: Link,
  fetched: FetchedInvestments,
  incomplete: readonly IncompleteAccount[],
  lastFetch: { partlyMatched: boolean },
): Promise<InvestmentChanges> {
  const { changed: holdings, unlisted } = await storeHoldings(ctx, tx, link, fetched, incomplete);
  const transactions =
    fetched.trades === null
      ? 0
      : await storeTrades(ctx, tx, link, fetched.trades, incomplete, lastFetch);
  return { holdings, transactions, unlisted };
}
