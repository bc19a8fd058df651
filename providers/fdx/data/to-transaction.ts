import { malformed, RemoteObject } from '../../http/remote-object.js';
import type { ProviderTransaction } from '../../provider.js';
import { momentOf } from './moment.js';

const MAX_TEXT = 500;
const STATUSES = ['POSTED', 'PENDING', 'MEMO', 'AUTHORIZATION'] as const;

export interface RowContext {
  accountId: string;
  category: string;
  currency: string;
}

/**
 * Translates a row. Its day is the one on which it posted; of a pending row, on which it happened.
 * Ids are unique within their account only.
 * @returns null for a row that moves no money
 */
export function toTransaction(
  remote: unknown,
  { accountId, category, currency }: RowContext,
): ProviderTransaction | null {
  const row = new RemoteObject(remote, 'transaction');
  const direction = row.optional('debitCreditMemo', (it) =>
    it.oneOf('debitCreditMemo', ['DEBIT', 'CREDIT', 'MEMO']),
  );
  if (direction === 'MEMO') return null;
  if (direction === null) {
    // Trades of an investment have a type instead.
    if (category === 'INVESTMENT_ACCOUNT') return null;
    throw malformed('transaction.debitCreditMemo is missing');
  }
  const amount = row.decimalNumber('amount');
  if (amount.isNegative() && !amount.isZero()) throw malformed('transaction.amount is negative');
  const pending = row.oneOf('status', STATUSES) !== 'POSTED';
  const { day, local } = whenOf(row, pending);
  const description = textOf(row, 'description');
  return {
    providerTransactionId: `${accountId}/${row.text('transactionId', { max: 256 })}`,
    providerAccountId: accountId,
    amount: amount.abs(),
    type: direction === 'DEBIT' ? 'debit' : 'credit',
    currency,
    date: day,
    datetime: local,
    description: textOf(row, 'payee') ?? description,
    rawDescription: description,
    pending,
    category: null,
  };
}

function whenOf(row: RemoteObject, pending: boolean) {
  const read = (field: string) => row.optional(field, (it) => momentOf(it, field));
  const [posted, happened] = [read('postedTimestamp'), read('transactionTimestamp')];
  const when = pending ? (happened ?? posted) : (posted ?? happened);
  if (when === null) throw malformed('a transaction has no time');
  return when;
}

/** Text is cut rather than refused, because it is written by banks. */
function textOf(row: RemoteObject, field: string): string | null {
  return row.optional(field, (it) => it.anyText(field)?.slice(0, MAX_TEXT) ?? null);
}
