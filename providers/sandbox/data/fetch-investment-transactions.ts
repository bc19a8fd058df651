import { Decimal } from 'decimal.js';
import { utcDay } from '../../../domain/api/timestamps.js';
import { Exact } from '../../../domain/investments/exact-decimal.js';
import type { FetchedInvestmentTransaction } from '../../../domain/investments/fetched-investment-transaction.js';
import type { ProviderAccess, ProviderTrades, TransactionWindow } from '../../contract/provider.js';
import type { BankClient } from '../client/bank-client.js';
import { readEach, readPart, Unreadable, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import { readListing } from '../../rules/read-listing.js';
import { isInWindow } from '../../rules/row-day.js';
import { readStatus } from '../../rules/row-status.js';
import { PAGE_SIZE, readPage, toCovered } from './fetch-transactions.js';
import { moneyIn } from './fetch-holdings.js';
import { movementRule, type Direction } from './movement-codes.js';
import { currencyIn, kindOf, toSecurity, type SecurityKind } from './to-security.js';

/** 50,000 rows. */
const MAX_PAGES = 250;
const KEY = 'next_page_token';

/** Reads the bank's pages like those of transactions. */
export async function fetchInvestmentTransactions(
  callBank: BankClient,
  access: ProviderAccess,
  window: TransactionWindow,
): Promise<ProviderTrades> {
  const { note } = access;
  const scope = { account: null, note };
  const today = utcDay(access.worldTime ?? new Date());
  let covered: TransactionWindow | null = null;
  const transactions = new Map<string, FetchedInvestmentTransaction>();
  const pages = readListing({
    scope,
    keyField: KEY,
    maxPages: MAX_PAGES,
    async readPage(token) {
      const page = await readPage(callBank, access, {
        part: 'investment-transactions',
        window,
        pageToken: token,
      });
      const items = page.list('transactions', PAGE_SIZE);
      covered = toCovered(page, window);
      return {
        items,
        next: () => (page.any(KEY) === '' ? null : page.textOrNull(KEY, { max: 500 })),
      };
    },
  });
  for await (const page of pages) {
    const read = readEach(page, { ...scope, scope: 'account' }, (remote) => {
      const account = new RemoteObject(remote, 'movement').text('account_id', { max: 100 });
      const ofAccount = { account, note };
      return readPart({ ...ofAccount, scope: 'row' }, () =>
        toInvestmentTransaction(remote, { account, scope: ofAccount }),
      );
    });
    // Pages may overlap: the content is part of the key, because one id may name several rows.
    for (const row of read)
      if (row !== null && isInWindow(row.date, window, today))
        transactions.set(JSON.stringify(row), row);
  }
  return { transactions: [...transactions.values()], window: covered };
}

/**
 * @returns null for a row that is not a movement (yet)
 * @throws Unreadable without an id, a day, a currency, or money where the code needs it
 */
export function toInvestmentTransaction(
  remote: unknown,
  { account, scope }: { account: string; scope: ReadScope },
): FetchedInvestmentTransaction | null {
  const row = new RemoteObject(remote, 'movement', scope);
  const status = readStatus(row, 'status');
  if (status === 'none') return null;
  const found = currencyIn(row);
  if (found === null) throw new Unreadable('movement', 'currency', 'missing', 'a currency');
  const { currency, divisor } = found;
  const money = moneyIn(divisor);
  const code = row.maybe('code', (it) => it.text('code', { max: 40 }));
  const rule = movementRule(code);
  const security = row.maybe('security', (it) => it.object('security'));
  const figures = {
    quantity: directed(row, 'quantity', rule.position, (field) =>
      row.maybe(field, (it) => it.figure(field)),
    ),
    price: money(row, 'price')?.abs() ?? null,
    gross: money(row, 'gross')?.abs() ?? null,
    fees: money(row, 'fees')?.abs() ?? null,
    taxes: money(row, 'taxes')?.abs() ?? null,
  };
  const amount =
    directed(row, 'amount', rule.cash, (field) => money(row, field)) ??
    amountFrom(figures, { cash: rule.cash, kind: security && kindOf(security) });
  // Positions move without money, money never without an amount.
  if (amount === null && (rule.cash !== null || figures.quantity === null))
    throw new Unreadable('movement', 'amount', 'missing', 'an amount, nor computable');
  return {
    providerTransactionId: row.text('transaction_id', { max: 100 }),
    providerAccountId: account,
    security: security === null ? null : toSecurity(security),
    type: rule.type,
    subtype: rule.subtype,
    sourceCode: code,
    ...figures,
    amount,
    currency,
    date: row.day('booking_date'),
    datetime: null,
    settledOn: row.maybe('settlement_date', (it) => it.day('settlement_date')),
    description: row.plain('description', 500),
    pending: status === 'pending',
    cancels: row.maybe('cancels_transaction_id', (it) =>
      it.text('cancels_transaction_id', { max: 100 }),
    ),
    cashTransactionId: null,
  };
}

/** The figure with the sign that the code decides; another sign on it is noted. */
function directed(
  row: RemoteObject,
  field: string,
  direction: Direction | null,
  read: (field: string) => Decimal | null,
): Decimal | null {
  const figure = read(field);
  if (figure === null || figure.isZero() || direction === null) return figure;
  if (figure.isNegative() === (direction === 'out')) return figure;
  row.expected(() => {
    throw new Unreadable('movement', field, 'impossible', `${direction} of the account`);
  });
  return figure.negated();
}

type Figures = Pick<
  FetchedInvestmentTransaction,
  'quantity' | 'price' | 'gross' | 'fees' | 'taxes'
>;

const FACTORS: Readonly<Partial<Record<SecurityKind, string>>> = { BOND: '0.01', OPTION: '100' };

/** The money of a trade that states none: its value, with fees and taxes. */
function amountFrom(
  { quantity, price, gross, fees, taxes }: Figures,
  { cash, kind }: { cash: Direction | null; kind: SecurityKind | null },
): Decimal | null {
  if (cash === null) return null;
  const factor = (kind === null ? undefined : FACTORS[kind]) ?? '1';
  const traded =
    quantity === null || price === null
      ? null
      : new Exact(quantity.abs()).times(price).times(factor).toDecimalPlaces(10);
  const value = gross ?? traded;
  if (value === null) return null;
  const signed = cash === 'out' ? new Exact(value).negated() : new Exact(value);
  return new Decimal(signed.minus(fees ?? 0).minus(taxes ?? 0));
}
