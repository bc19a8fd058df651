import { completeTrade } from '../../domain/investments/complete-trade.js';
import type { FetchedInvestmentTransaction } from '../../domain/investments/fetched-investment-transaction.js';
import { contentOfTrade } from '../../domain/investments/trade-content.js';
import type { FetchedTrades } from '../../domain/refresh/fetched-data.js';
import type { ProviderAccess } from '../../providers/contract/provider.js';
import { distinctRows } from '../../providers/http/distinct-rows.js';
import { newRows } from '../../providers/http/new-rows.js';

/** Also bounds the memory of a fetch. Source: native-api 3.14. */
const MAX_TRADES_OF_ACCOUNT = 50_000;

const RESOURCE = 'investment_transaction';

/**
 * The trades of a list, each once and under an id of its own, with the signs of their types and
 * the amounts that follow from prices. A purchase or sale of unknown amount is left out, as are the
 * oldest trades of an account with too many: the account is then incomplete.
 */
export function readTrades(
  { transactions, window }: FetchedTrades,
  { note }: Pick<ProviderAccess, 'note'>,
): FetchedTrades {
  const isNew = newRows({ note });
  const completed = transactions.filter(isNew).flatMap((row) => {
    const found = completeTrade(row);
    const place = { account: row.providerAccountId, resource: RESOURCE };
    if (found === null) {
      note({ ...place, scope: 'row', field: 'amount', reason: 'missing' });
      return [];
    }
    if (found.isSignCorrected)
      note({ ...place, scope: 'value', field: 'sign', reason: 'impossible' });
    return [found.trade];
  });
  return { transactions: newestOfEach(distinctRows(completed, contentOfTrade), note), window };
}

function newestOfEach(
  trades: readonly FetchedInvestmentTransaction[],
  note: ProviderAccess['note'],
): FetchedInvestmentTransaction[] {
  const byAccount = new Map<string, FetchedInvestmentTransaction[]>();
  for (const trade of trades) {
    const ofAccount = byAccount.get(trade.providerAccountId);
    if (ofAccount === undefined) byAccount.set(trade.providerAccountId, [trade]);
    else ofAccount.push(trade);
  }
  return [...byAccount].flatMap(([account, ofAccount]) => {
    if (ofAccount.length <= MAX_TRADES_OF_ACCOUNT) return ofAccount;
    note({ scope: 'account', account, resource: RESOURCE, field: '', reason: 'too_long' });
    return ofAccount
      .toSorted((one, other) => Number(one.date < other.date) - Number(one.date > other.date))
      .slice(0, MAX_TRADES_OF_ACCOUNT);
  });
}
