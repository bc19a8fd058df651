import { amountInCurrency } from '../transactions/amount-in-currency.js';
import { amountText } from './amount-text.js';
import { noonOf } from './epoch-days.js';

/** A current transaction as it is stored. */
export interface StoredRow {
  transactionId: string;
  /** Decimal text, never negative. */
  amount: string;
  type: 'debit' | 'credit';
  currency: string;
  /** Decimal text; null = it was not converted. */
  originalAmount: string | null;
  /** `YYYY-MM-DD`. */
  day: string;
  pending: boolean;
  /** Its public JSON (native-api 4.6). */
  body: string;
}

/** The members of the public JSON that SimpleFIN has a place for. */
interface Texts {
  description: string | null;
  raw_description: string | null;
  remittance: string | null;
  category: string | null;
  merchant: { mcc: string | null } | null;
  original: { currency: string } | null;
  transacted_at: string | null;
}

/** A row in either version, and whether its amount is known in the currency of its account. */
export interface PresentedRow {
  shown: Record<string, unknown>;
  isInCurrency: boolean;
}

/**
 * A row of an account of a currency, since the protocol has one for all rows of an account. Positive =
 * money in. An amount that the source did not convert counts as zero and is part of the description: as
 * a number it would be read in the wrong currency.
 */
export function presentRow(row: StoredRow, currency: string): PresentedRow {
  const texts = JSON.parse(row.body) as Texts;
  const { description, raw_description: raw, remittance, category, merchant } = texts;
  const mcc = merchant?.mcc ?? null;
  const converted = amountInCurrency({ ...row, original: originalOf(row, texts) }, currency);
  const happened = happenedAt(row, texts.transacted_at);
  const booked = amountText(signed(row.amount, row), row.currency);
  const extra = {
    ...(category === null ? {} : { category }),
    ...(row.currency === currency ? {} : { amount: booked, currency: row.currency }),
  };
  const text = raw ?? description ?? '';
  return {
    isInCurrency: converted !== null,
    shown: {
      id: row.transactionId,
      posted: row.pending ? 0 : noonOf(row.day),
      amount: amountText(signed(converted ?? '0', row), currency),
      description: converted === null ? `${booked} ${row.currency} ${text}`.trimEnd() : text,
      payee: description ?? raw ?? '',
      memo: remittance ?? '',
      ...(happened === null ? {} : { transacted_at: happened }),
      ...(row.pending ? { pending: true } : {}),
      ...(mcc === null ? {} : { mcc }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    },
  };
}

const signed = (amount: string, { type }: StoredRow): string =>
  type === 'debit' ? `-${amount}` : amount;

const originalOf = ({ originalAmount: amount }: StoredRow, { original }: Texts) =>
  amount === null || original === null ? null : { amount, currency: original.currency };

/**
 * The time at which it happened; of a pending row always, and on its day. Stored in the local time of
 * the institution, so it is shown as if that were UTC, which keeps the day; midnight = only the day
 * is known.
 */
function happenedAt({ pending, day }: StoredRow, transactedAt: string | null): number | null {
  const onDay = transactedAt?.slice(0, 10);
  if (transactedAt === null || onDay === undefined || (pending && onDay !== day))
    return pending ? noonOf(day) : null;
  return transactedAt.slice(11, 19) === '00:00:00'
    ? noonOf(onDay)
    : Math.floor(Date.parse(`${transactedAt}Z`) / 1_000);
}
