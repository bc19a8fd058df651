import { Decimal } from 'decimal.js';
import type { AppBackEnd } from '../../../support/actors/link-journey.js';

/** One row in the terms that all readers share: account, id, day, signed amount, state. */
export type ReadRow = string;
/** Account, balance as it is owed or held, currency. */
export type ReadBalance = string;

export interface EverythingRead {
  balances: ReadBalance[];
  rows: ReadRow[];
}

export const readRow = (row: {
  accountId: string;
  id: string;
  day: string;
  amount: Decimal.Value;
  currency: string;
  pending: boolean;
}): ReadRow =>
  [
    row.accountId,
    row.id,
    row.day,
    new Decimal(row.amount).toFixed(),
    row.currency,
    row.pending ? 'pending' : 'posted',
  ].join(' ');

export const readBalance = (accountId: string, balance: Decimal.Value, currency: string) =>
  [accountId, new Decimal(balance).toFixed(), currency].join(' ');

export const sorted = ({ balances, rows }: EverythingRead): EverythingRead => ({
  balances: balances.toSorted(),
  rows: rows.toSorted(),
});

interface Lists {
  links: Record<
    string,
    {
      accounts: {
        account_id: string;
        account_type: string;
        balances: { currency: string; current: unknown };
      }[];
    }
  >;
}
interface Rows {
  total: number;
  transactions: {
    transaction_id: string;
    account_id: string;
    amount: unknown;
    type: string;
    currency: string;
    date: string;
    pending: boolean;
  }[];
}

/**
 * What the native API returns of a user within days, both included. Numbers are kept as they are
 * written.
 */
export async function readThroughApi(
  app: AppBackEnd,
  user: string,
  { start, end }: { start: string; end: string },
): Promise<EverythingRead> {
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${app.baseUrl}/users/${user}${path}`, {
      headers: { authorization: `Bearer ${await app.accessToken()}` },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`);
    return exactly<T>(text);
  };
  const { links } = await get<Lists>('/accounts');
  const { transactions } = await get<Rows>(
    `/transactions?size=1000&start_date=${start}&end_date=${end}`,
  );
  return sorted({
    balances: Object.values(links)
      .flatMap(({ accounts }) => accounts)
      .map(({ account_id: id, account_type: type, balances: { current, currency } }) =>
        readBalance(
          id,
          new Decimal(String(current)).mul(type.startsWith('liability.') ? -1 : 1),
          currency,
        ),
      ),
    rows: transactions.map((row) =>
      readRow({
        accountId: row.account_id,
        id: row.transaction_id,
        day: row.date.slice(0, 10),
        amount: new Decimal(String(row.amount)).mul(row.type === 'debit' ? -1 : 1),
        currency: row.currency,
        pending: row.pending,
      }),
    ),
  });
}

/** Numbers as the text that stands in the JSON. */
const exactly = <T>(json: string): T =>
  JSON.parse(json, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? context?.source : value,
  ) as T;
