import { amountText } from './amount-text.js';
import { noonOf } from './epoch-days.js';

/** A current transaction as it is stored. */
export interface StoredRow {
  transactionId: string;
  /** Decimal text, never negative. */
  amount: string;
  type: 'debit' | 'credit';
  currency: string;
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
  transacted_at: string | null;
}

/** A row in either version. Positive = money in. */
export function presentRow(row: StoredRow): Record<string, unknown> {
  const texts = JSON.parse(row.body) as Texts;
  const { description, raw_description: raw, remittance, category, merchant } = texts;
  const mcc = merchant?.mcc ?? null;
  const amount = row.type === 'debit' ? `-${row.amount}` : row.amount;
  const happened = happenedAt(row, texts.transacted_at);
  return {
    id: row.transactionId,
    posted: row.pending ? 0 : noonOf(row.day),
    amount: amountText(amount, row.currency),
    description: raw ?? description ?? '',
    payee: description ?? raw ?? '',
    memo: remittance ?? '',
    ...(happened === null ? {} : { transacted_at: happened }),
    ...(row.pending ? { pending: true } : {}),
    ...(mcc === null ? {} : { mcc }),
    ...(category === null ? {} : { extra: { category } }),
  };
}

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
