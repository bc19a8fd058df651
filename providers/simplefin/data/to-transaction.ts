import { utcDay } from '../../../domain/api/timestamps.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { ProviderTransaction } from '../../provider.js';
import { MAX_EPOCH_SECONDS } from './fetch-accounts.js';

const MAX_TEXT = 500;

export interface RowContext {
  accountId: string;
  currency: string;
  /** The day of a pending row that has none. */
  today: string;
}

/**
 * Translates a row; positive = money in. Its day is the UTC day on which it posted; of a pending
 * row, on which it happened. The id is a hint: servers give rows other ids when they post, and at
 * times to whole blocks of days.
 */
export function toTransaction(
  remote: unknown,
  { accountId, currency, today }: RowContext,
): ProviderTransaction {
  const row = new RemoteObject(remote, 'transaction');
  const amount = row.decimal('amount');
  const posted = row.wholeNumber('posted', { max: MAX_EPOCH_SECONDS });
  const happened = row.optional('transacted_at', (it) =>
    it.wholeNumber('transacted_at', { max: MAX_EPOCH_SECONDS }),
  );
  const pending = posted === 0 || row.optional('pending', (it) => it.boolean('pending')) === true;
  const epoch = posted || happened || null;
  const description = textOf(row, 'description');
  return {
    providerTransactionId: `${accountId}/${row.text('id', { max: 200 })}`,
    providerAccountId: accountId,
    amount: amount.abs(),
    type: amount.isNegative() && !amount.isZero() ? 'debit' : 'credit',
    currency,
    date: epoch === null ? today : utcDay(new Date(epoch * 1_000)),
    datetime: null,
    description: textOf(row, 'payee') ?? description,
    rawDescription: description,
    pending,
    category: null,
  };
}

/** Text is cut rather than refused, because it is written by banks. */
function textOf(row: RemoteObject, field: string): string | null {
  return row.optional(field, (it) => it.anyText(field)?.slice(0, MAX_TEXT) ?? null);
}
