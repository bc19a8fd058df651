import { Decimal } from 'decimal.js';
import type { FetchedInvestmentTransaction } from '../../../../domain/investments/fetched-investment-transaction.js';
import type { FetchedSecurity } from '../../../../domain/investments/fetched-security.js';
import type { FetchedTrades } from '../../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../../domain/refresh/incomplete-answer.js';
import { TradeReader } from '../../../../prisma/links/investments/trade-reader.js';
import type { RefreshCause } from '../../../../prisma/work/refresh/request-refresh.js';
import {
  beginFetch,
  EVERY_DAY,
  storeLink,
  type Storage,
  type StoredLink,
} from '../../../support/fixtures/stored-link.js';

export const FUND: FetchedSecurity = {
  ownId: null,
  name: 'Example Total Market',
  symbol: 'EXTMX',
  exchange: null,
  isin: 'US0000000002',
  cusip: null,
  sedol: null,
  figi: null,
  type: 'mutual_fund',
  subtype: null,
  currency: 'USD',
  isCashEquivalent: null,
  option: null,
  fixedIncome: null,
};
export const SHARE: FetchedSecurity = {
  ...FUND,
  name: 'Example Corp',
  symbol: 'EXC',
  isin: 'US0000000010',
  type: 'equity',
};

/** A purchase of 12.5 shares. */
export function trade(
  providerTransactionId: string,
  fields: Partial<FetchedInvestmentTransaction> = {},
): FetchedInvestmentTransaction {
  return {
    providerTransactionId,
    providerAccountId: 'checking',
    security: FUND,
    type: 'buy',
    subtype: null,
    sourceCode: 'PURCHASED',
    quantity: new Decimal('12.5'),
    price: new Decimal('101.10'),
    amount: new Decimal('-1268.70'),
    gross: new Decimal('1263.75'),
    fees: new Decimal('4.95'),
    taxes: null,
    currency: 'USD',
    date: '2026-03-04',
    datetime: null,
    settledOn: '2026-03-06',
    description: 'Bought Example Total Market',
    pending: false,
    cancels: null,
    cashTransactionId: null,
    ...fields,
  };
}

export interface TradesFetch extends Partial<Omit<FetchedTrades, 'transactions'>> {
  incomplete?: readonly IncompleteAccount[];
  cause?: RefreshCause;
}

export const storeInvestmentLink = (storage: Storage): Promise<StoredLink> =>
  storeLink(storage, { products: ['accounts', 'transactions', 'investments'] });

/** A refresh in which the bank lists these trades, and no holdings. Returns the number of new versions. */
export async function fetchTrades(
  storage: Storage,
  link: StoredLink,
  transactions: readonly FetchedInvestmentTransaction[],
  { window = EVERY_DAY, incomplete = [], cause = 'prefetch', ...ids }: TradesFetch = {},
): Promise<number> {
  const run = await beginFetch(storage, link, 'investments', cause);
  const trades = { transactions, window, ...ids };
  const fetched = { accounts: [], holdings: [], trades };
  return (await storage.refresh.storeInvestments(link.linkId, run, fetched, incomplete)).changed;
}

/** A row as the API lists it. */
export interface ShownTrade extends Record<string, unknown> {
  investment_transaction_id: string;
  account_id: string;
  security_id: string | null;
}

/** The current rows, newest first. */
export async function shownTrades({ ctx }: Storage, link: StoredLink): Promise<ShownTrade[]> {
  const { rows } = await new TradeReader(ctx).listPage({
    linkPk: link.pk,
    start: EVERY_DAY.from,
    end: EVERY_DAY.to,
    page: 1,
    size: 1000,
  });
  return JSON.parse(`[${rows}]`) as ShownTrade[];
}

export function unreadable(providerAccountId: string | null): IncompleteAccount {
  return {
    providerAccountId,
    name: null,
    reason: 'unreadable',
    resource: 'investment_transaction',
    field: 'date',
    fault: 'missing',
  };
}
