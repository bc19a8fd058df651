import type { Decimal } from 'decimal.js';
import type { FetchedHolding } from '../../../domain/investments/fetched-holding.js';
import type { FetchedHoldings } from '../../../domain/refresh/fetched-data.js';
import { readEach, Unreadable, type ReadScope } from '../../http/read-scope.js';
import type { RemoteObject } from '../../http/remote-object.js';
import type { ProviderHoldings } from '../../contract/provider.js';
import type { FdxInstitution } from '../settings.js';
import type { AccountDescriptor } from './account-descriptor.js';
import type { Noting } from './each-account.js';
import { toHolding } from './investments/to-holding.js';
import { vestedQuantities } from './investments/vested-quantities.js';
import { optionalFigure } from './optional-fields.js';
import { readDetailsOf, type KindFacts } from './read-details.js';
import type { ReadResource } from './resource-reader.js';

/** Of one account. */
const MAX_HOLDINGS = 5_000;
const INVESTMENT = 'INVESTMENT_ACCOUNT';

/** True if an account may have holdings, by its category or its type. */
export const isInvestment = ({ category, accountType }: KindFacts): boolean =>
  category === INVESTMENT || accountType.startsWith('investment.');

/**
 * Reads the holdings in the details of each investment account, with the balance of the same
 * response.
 * @param today the day up to which units have vested
 */
export async function fetchHoldings(
  read: ReadResource,
  institution: FdxInstitution,
  noting: Noting,
  today: string,
): Promise<ProviderHoldings> {
  const found = await readDetailsOf(
    isInvestment,
    { read, institution, noting },
    (account, details) =>
      toHoldings(account, details, { today, scope: { account: account.id, note: noting.note } }),
  );
  return {
    accounts: found.flatMap(({ accounts }) => accounts),
    holdings: found.flatMap(({ holdings }) => holdings),
  };
}

/**
 * The holdings of one account.
 * @returns null for an account whose details are not those of an investment
 * @throws Unreadable without a list, unless all the value of the account is cash
 */
export function toHoldings(
  { id, category, currency }: Pick<AccountDescriptor, 'id' | 'category' | 'currency'>,
  details: RemoteObject,
  { today, scope }: { today: string; scope: ReadScope },
): FetchedHoldings | null {
  const balance = optionalFigure(details, 'currentValue');
  const reportedCash = optionalFigure(details, 'availableCashBalance');
  const account = { providerAccountId: id, currency, balance, reportedCash };
  if (details.any('holdings') === undefined) {
    if (category !== INVESTMENT && category !== '') return null;
    // Banks omit an empty list.
    const isAllCash =
      balance !== null && (balance.isZero() || reportedCash?.equals(balance) === true);
    if (isAllCash) return { accounts: [account], holdings: [] };
    throw new Unreadable('account', 'holdings', 'missing', 'a list');
  }
  const items = details.list('holdings', MAX_HOLDINGS);
  const holdings = readEach(items, { ...scope, scope: 'row' }, (item) =>
    toHolding(item, { accountId: id, currency, scope }),
  );
  return { accounts: [account], holdings: withVested(holdings, vestedQuantities(details, today)) };
}

/** The schedule names symbols: of several holdings with one, it states nothing about each. */
function withVested(
  holdings: readonly FetchedHolding[],
  vested: ReadonlyMap<string, Decimal>,
): readonly FetchedHolding[] {
  const counts = new Map<string | null, number>();
  for (const { security } of holdings)
    counts.set(security.symbol, (counts.get(security.symbol) ?? 0) + 1);
  return holdings.map((holding) => {
    const { symbol } = holding.security;
    const vestedQuantity =
      symbol !== null && counts.get(symbol) === 1 ? (vested.get(symbol) ?? null) : null;
    return { ...holding, vestedQuantity };
  });
}
