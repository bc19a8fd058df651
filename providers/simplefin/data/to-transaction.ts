import { utcDay } from '../../../domain/api/timestamps.js';
import { detailsOf } from '../../../domain/transactions/transaction-details.js';
import { readMcc } from '../../http/read-mcc.js';
import { Unreadable, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { ProviderTransaction } from '../../contract/provider.js';
import { dayOfRow } from '../../rules/row-day.js';
import { MAX_EPOCH_SECONDS } from './fetch-accounts.js';

const MAX_TEXT = 500;

export interface RowContext {
  accountId: string;
  currency: string;
  /** The day of a pending row without a day of its own. */
  today: string;
  scope: ReadScope;
}

/**
 * Translates a row; positive = money in. Its day is the UTC day on which it posted; for a pending
 * row, the day on which it happened. The id is a hint: servers change the ids of rows when they
 * post, and at times of whole blocks of days; a row without an id uses its content as its id.
 * @throws Unreadable
 */
export function toTransaction(
  remote: unknown,
  { accountId, currency, today, scope }: RowContext,
): ProviderTransaction {
  const row = new RemoteObject(remote, 'transaction', scope);
  const amount = row.decimal('amount');
  const time = (field: string) =>
    row.maybe(field, (it) => it.wholeNumber(field, { max: MAX_EPOCH_SECONDS }));
  const [posted, happened] = [time('posted'), time('transacted_at')];
  const pending = posted === 0 || row.maybe('pending', (it) => it.boolean('pending')) === true;
  const epoch = posted || happened || null;
  const known = pending ? [happened, posted] : [posted, happened];
  const days = known.map((time) => (time ? utcDay(new Date(time * 1_000)) : null));
  const date = dayOfRow(days, { pending, today });
  if (date === null)
    throw new Unreadable('transaction', 'posted', 'missing', 'a time, nor is another');
  const description = row.plain('description', MAX_TEXT);
  const payee = row.plain('payee', MAX_TEXT);
  const mcc = readMcc(row, 'mcc');
  const id = row.maybe('id', (it) => it.text('id', { max: 200 }));
  return {
    providerTransactionId: `${accountId}/${id ?? `content:${amount.toFixed()}:${epoch}:${description}`}`,
    providerAccountId: accountId,
    amount: amount.abs(),
    type: amount.isNegative() && !amount.isZero() ? 'debit' : 'credit',
    currency,
    date,
    datetime: null,
    description: payee ?? description,
    rawDescription: description,
    pending,
    category: null,
    details: detailsOf({
      counterparty: { name: payee, accountMask: null, kind: mcc === null ? null : 'business' },
      merchant: mcc === null ? null : { name: payee, mcc },
      remittance: row.plain('memo', MAX_TEXT),
      transactedAt: happened ? new Date(happened * 1_000).toISOString().slice(0, -1) : null,
    }),
  };
}
