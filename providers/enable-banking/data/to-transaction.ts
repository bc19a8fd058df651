import { RemoteObject } from '../../http/remote-object.js';
import type { ProviderTransaction } from '../../provider.js';

const MAX_TEXT = 500;

/** `HOLD`: reserved on a card. Other states, as planned or rejected ones, are no transactions. */
const IS_PENDING: ReadonlyMap<string, boolean> = new Map([
  ['BOOK', false],
  ['PDNG', true],
  ['HOLD', true],
]);

export interface RemoteRow {
  /** The bank's own id; null = it gives none, as to most pending rows. */
  reference: string | null;
  row: Omit<ProviderTransaction, 'providerTransactionId'>;
}

/**
 * Translates a row. `transaction_id` is not read: it differs from listing to listing.
 * @param today the day of a pending row that has none
 * @returns null for a row that is no transaction (yet)
 */
export function toTransaction(
  remote: unknown,
  { accountId, today }: { accountId: string; today: string },
): RemoteRow | null {
  const row = new RemoteObject(remote, 'transaction');
  const pending = IS_PENDING.get(row.text('status', { max: 40 }));
  if (pending === undefined) return null;
  const money = row.object('transaction_amount');
  const isDebit = row.oneOf('credit_debit_indicator', ['CRDT', 'DBIT']) === 'DBIT';
  const rawDescription = remittanceOf(row);
  return {
    reference: referenceOf(row),
    row: {
      providerAccountId: accountId,
      amount: money.unsigned('amount'),
      type: isDebit ? 'debit' : 'credit',
      currency: money.text('currency', { max: 3, pattern: /^[A-Z]{3}$/ }),
      date: dayOf(row, pending, today),
      datetime: null,
      description: partyOf(row, isDebit ? 'creditor' : 'debtor') ?? rawDescription,
      rawDescription,
      pending,
      category: null,
    },
  };
}

/** One that is too long for an id counts as none. */
function referenceOf(row: RemoteObject): string | null {
  const text = row.optional('entry_reference', (it) => it.anyText('entry_reference'));
  return text !== null && text.length <= MAX_TEXT ? text : null;
}

const DAYS = {
  booked: ['booking_date', 'value_date', 'transaction_date'],
  pending: ['transaction_date', 'value_date', 'booking_date'],
} as const;

function dayOf(row: RemoteObject, pending: boolean, today: string): string {
  for (const field of DAYS[pending ? 'pending' : 'booked']) {
    const day = row.optional(field, (it) => it.day(field));
    if (day !== null) return day;
  }
  return pending ? today : row.day('booking_date');
}

/** Text is cut rather than refused, because it is written by banks and their customers. */
function remittanceOf(row: RemoteObject): string | null {
  const lines = row.optional('remittance_information', (it) =>
    it.list('remittance_information', 1_000),
  );
  const text = (lines ?? []).filter((line) => typeof line === 'string').join(' ');
  return cut(text);
}

function partyOf(row: RemoteObject, field: 'creditor' | 'debtor'): string | null {
  const party = row.optional(field, (it) => it.object(field));
  return cut(party?.optional('name', (it) => it.anyText('name')) ?? '');
}

function cut(text: string): string | null {
  const plain = text.replaceAll('\u0000', ' ').trim().slice(0, MAX_TEXT).trim();
  return plain === '' ? null : plain;
}
