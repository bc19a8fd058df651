import type { InvestmentChanges } from '../../../domain/investments/investment-changes.js';
import type { FetchedInvestments } from '../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';
import { storeHoldings } from './store-holdings.js';
import { storeTrades } from './store-trades.js';

/**
 * Stores the holdings and trades of a locked link. `partlyMatched`: its last fetch was incomplete.
 * @returns the changed rows, and the accounts with holdings that the source no longer lists
 */
export async function storeInvestments(
  ctx: Context,
  tx: Tx,
  link: Link,
  fetched: FetchedInvestments,
  incomplete: readonly IncompleteAccount[],
  lastFetch: { partlyMatched: boolean },
): Promise<{ changes: InvestmentChanges; unlisted: IncompleteAccount[] }> {
  const { changes: holdings, unlisted } = await storeHoldings(ctx, tx, link, fetched, incomplete);
  const transactions =
    fetched.trades === null
      ? { written: 0, removed: 0 }
      : await storeTrades(ctx, tx, link, fetched.trades, incomplete, lastFetch);
  return { changes: { holdings, transactions }, unlisted };
}
