import { Unreadable, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { ProviderTransaction } from '../../contract/provider.js';
import { dayOfRow } from '../../rules/row-day.js';
import { readStatus } from '../../rules/row-status.js';
import { momentOf, type Moment } from './moment.js';
import { transactionDetails } from './transaction-details.js';

const MAX_TEXT = 500;

export interface RowContext {
  accountId: string;
  category: string;
  currency: string;
  /** The day of a pending row without a day of its own. */
  today: string;
  scope: ReadScope;
}

/**
 * Translates a row. Its day is the day on which it posted; for a pending row, the day on which it
 * happened. Ids are unique only within their account.
 * @returns null for a row that moves no money (yet)
 * @throws Unreadable without an amount, a direction, an id or any day
 */
export function toTransaction(
  remote: unknown,
  { accountId, category, currency, today, scope }: RowContext,
): ProviderTransaction | null {
  const row = new RemoteObject(remote, 'transaction', scope);
  const direction = row.optional('debitCreditMemo', (it) =>
    it.oneOf('debitCreditMemo', ['DEBIT', 'CREDIT', 'MEMO'] as const),
  );
  if (direction === 'MEMO') return null;
  if (direction === null) {
    // Trades of an investment have a type instead.
    if (category === 'INVESTMENT_ACCOUNT') return null;
    throw new Unreadable('transaction', 'debitCreditMemo', 'missing', 'a direction');
  }
  const status = readStatus(row, 'status');
  if (status === 'none') return null;
  const pending = status === 'pending';
  // With a separate direction, the sign has no meaning.
  const amount = row.decimalNumber('amount').abs();
  const { when, happened } = timesOf(row, { pending, today });
  const payee = row.plain('payee', MAX_TEXT);
  const description = row.plain('description', MAX_TEXT);
  return {
    providerTransactionId: `${accountId}/${row.text('transactionId', { max: 256 })}`,
    providerAccountId: accountId,
    amount,
    type: direction === 'DEBIT' ? 'debit' : 'credit',
    currency,
    date: when.day,
    datetime: when.local,
    description: payee ?? description,
    rawDescription: description,
    pending,
    category: null,
    details: transactionDetails(row, { payee, happened }),
  };
}

function timesOf(row: RemoteObject, { pending, today }: { pending: boolean; today: string }) {
  const read = (field: string) => row.maybe(field, (it) => momentOf(it, field));
  const [posted, happened] = [read('postedTimestamp'), read('transactionTimestamp')];
  const known = pending ? [happened, posted] : [posted, happened];
  const day = dayOfRow(
    known.map((moment) => moment?.day ?? null),
    { pending, today },
  );
  if (day === null)
    throw new Unreadable('transaction', 'postedTimestamp', 'missing', 'a time, nor is another');
  const written = known.find((moment) => moment?.day === day);
  const when: Moment = written ?? { day, local: null, instant: null };
  return { when, happened };
}
