import { Unreadable, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { ProviderTransaction } from '../../contract/provider.js';
import { momentOf } from './moment.js';
import { transactionDetails } from './transaction-details.js';

const MAX_TEXT = 500;
const STATUSES = ['POSTED', 'PENDING', 'MEMO', 'AUTHORIZATION'] as const;

export interface RowContext {
  accountId: string;
  category: string;
  currency: string;
  scope: ReadScope;
}

/**
 * Translates a row. Its day is the day on which it posted; for a pending row, the day on which it
 * happened. Ids are unique only within their account.
 * @returns null for a row that moves no money
 * @throws Unreadable without an amount, a direction, an id or any day
 */
export function toTransaction(
  remote: unknown,
  { accountId, category, currency, scope }: RowContext,
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
  // With a separate direction, the sign has no meaning.
  const amount = row.decimalNumber('amount').abs();
  // Banks that omit the status list only posted rows.
  const pending =
    (row.maybe('status', (it) => it.oneOf('status', STATUSES)) ?? 'POSTED') !== 'POSTED';
  const { when, happened } = timesOf(row, pending);
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

function timesOf(row: RemoteObject, pending: boolean) {
  const read = (field: string) => row.maybe(field, (it) => momentOf(it, field));
  const [posted, happened] = [read('postedTimestamp'), read('transactionTimestamp')];
  const when = pending ? (happened ?? posted) : (posted ?? happened);
  if (when === null)
    throw new Unreadable('transaction', 'postedTimestamp', 'missing', 'a time, nor is another');
  return { when, happened };
}
