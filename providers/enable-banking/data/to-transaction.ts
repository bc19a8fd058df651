import { plainText } from '../../http/plain-text.js';
import { Unreadable, type ReadScope } from '../../http/read-scope.js';
import { RemoteObject } from '../../http/remote-object.js';
import type { ProviderTransaction } from '../../contract/provider.js';
import { dayOfRow } from '../../rules/row-day.js';
import { readStatus, type RowStatus } from '../../rules/row-status.js';
import { transactionDetails } from './transaction-details.js';

const MAX_TEXT = 500;

export interface RemoteRow {
  /** The bank's own id; null = the bank does not provide one, as for most pending rows. */
  reference: string | null;
  row: Omit<ProviderTransaction, 'providerTransactionId'>;
}

export interface RowContext {
  accountId: string;
  /** Null or missing = unknown. */
  accountCurrency?: string | null;
  /** The day of a pending row without a day of its own. */
  today: string;
  scope: ReadScope;
}

/**
 * Translates a row. `transaction_id` is not read: it differs from listing to listing.
 * @returns null for a row that is not a transaction (yet)
 * @throws Unreadable without an amount, a direction or any day
 */
export function toTransaction(
  remote: unknown,
  { accountId, accountCurrency = null, today, scope }: RowContext,
): RemoteRow | null {
  const row = new RemoteObject(remote, 'transaction', scope);
  const days = daysOf(row);
  const status = statusOf(row, days, today);
  if (status === 'none') return null;
  const pending = status === 'pending';
  const money = row.object('transaction_amount');
  const isDebit = directionOf(row, money) === 'DBIT';
  const party = isDebit ? 'creditor' : 'debtor';
  const currency = money.currency('currency');
  const rawDescription = remittanceOf(row);
  const { details, ...codes } = transactionDetails(row, {
    party,
    money,
    accountCurrency,
    remittance: rawDescription,
    happened: days.transaction_date,
  });
  return {
    reference: referenceOf(row),
    row: {
      providerAccountId: accountId,
      amount: money.unsigned('amount'),
      type: isDebit ? 'debit' : 'credit',
      currency,
      date: dayOf(days, pending, today),
      datetime: null,
      description: details?.counterparty?.name ?? rawDescription,
      rawDescription,
      pending,
      category: null,
      details,
      ...codes,
    },
  };
}

/** The indicator decides. A sign matters only if there is no indicator. */
function directionOf(row: RemoteObject, money: RemoteObject): 'CRDT' | 'DBIT' {
  const indicated = row.maybe('credit_debit_indicator', (it) =>
    it.oneOf('credit_debit_indicator', ['CRDT', 'DBIT'] as const),
  );
  if (indicated !== null) return indicated;
  const amount = money.decimal('amount');
  if (amount.isNegative() && !amount.isZero()) return 'DBIT';
  throw new Unreadable('transaction', 'credit_debit_indicator', 'missing', 'CRDT or DBIT');
}

/** A reference that is too long for an id is ignored. */
function referenceOf(row: RemoteObject): string | null {
  return row.maybe('entry_reference', (it) => {
    const text = it.anyText('entry_reference');
    return text !== null && text.length <= MAX_TEXT ? text : null;
  });
}

const DAYS = {
  booked: ['booking_date', 'value_date', 'transaction_date'],
  pending: ['transaction_date', 'value_date', 'booking_date'],
} as const;

type KnownDays = Readonly<Record<(typeof DAYS.booked)[number], string | null>>;

function daysOf(row: RemoteObject): KnownDays {
  const day = (field: keyof KnownDays) => row.maybe(field, (it) => it.day(field));
  return {
    booking_date: day('booking_date'),
    value_date: day('value_date'),
    transaction_date: day('transaction_date'),
  };
}

/** @throws Unreadable */
function dayOf(known: KnownDays, pending: boolean, today: string): string {
  const days = DAYS[pending ? 'pending' : 'booked'].map((field) => known[field]);
  const day = dayOfRow(days, { pending, today });
  if (day !== null) return day;
  throw new Unreadable('transaction', 'booking_date', 'missing', 'a day, nor is another');
}

/**
 * `OTHR` is the vendor's word for those of a bank that it does not know: such a row counts once the
 * day of its booking has come.
 */
function statusOf(
  row: RemoteObject,
  { booking_date: booked }: KnownDays,
  today: string,
): RowStatus {
  if (row.any('status') !== 'OTHR') return readStatus(row, 'status');
  return booked !== null && booked <= today ? 'posted' : 'none';
}

/** Text is cut rather than refused, because banks and their customers write it. */
function remittanceOf(row: RemoteObject): string | null {
  const lines = row.maybe('remittance_information', (it) =>
    it.list('remittance_information', 1_000),
  );
  const text = (lines ?? []).filter((line) => typeof line === 'string').join(' ');
  return plainText(text, MAX_TEXT);
}
