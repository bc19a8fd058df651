import { Decimal } from 'decimal.js';
import type { AccountType } from '../accounts/account-types.js';
import type { CounterpartyNumbers } from '../transactions/counterparty-numbers.js';
import { isTransactionCategory } from '../transactions/transaction-categories.js';
import type { TransactionDetails } from '../transactions/transaction-details.js';
import { isDay } from '../api/timestamps.js';

/** An account as imported by an app, normalized. Source: native-api 4.9. */
export interface ImportedAccount {
  originalId: string;
  accountType: AccountType;
  name: string;
  nickname: string | null;
  mask: string | null;
  currency: string;
  available: Decimal | null;
  current: Decimal | null;
  limit: Decimal | null;
  balanceDate: Date | null;
}

/** A transaction as imported by an app, normalized. */
export interface ImportedTransaction {
  /** The app's id of the account. */
  accountOriginalId: string;
  /** The app's id of the transaction. */
  originalId: string | null;
  /** Never negative; the direction is in `type`. */
  amount: Decimal;
  type: 'debit' | 'credit';
  date: string;
  datetime: string | null;
  description: string | null;
  category: string | null;
  details: TransactionDetails;
  counterpartyNumbers: CounterpartyNumbers | null;
}

/** Splits a signed amount: positive = credit, negative = debit. Source: link-lifecycle 11. */
export function splitSignedAmount(signed: Decimal): { amount: Decimal; type: 'debit' | 'credit' } {
  return {
    amount: signed.abs(),
    type: signed.isNegative() && !signed.isZero() ? 'debit' : 'credit',
  };
}

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * The day of a date or timestamp, and its time as written, which is the institution's local time
 * (native-api 4.6). Midnight means that the time is unknown, since plain dates are often written
 * that way. Null for any other text.
 */
export function parseDayAndTime(text: string): { date: string; datetime: string | null } | null {
  const [, date = '', hours, minutes = '', seconds = '00', fraction = ''] = MOMENT.exec(text) ?? [];
  if (!isDay(date)) return null;
  if (hours === undefined) return { date, datetime: null };
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const time = `${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  return { date, datetime: time === '00:00:00.000' ? null : `${date}T${time}` };
}

/** native-api 4.11: never guessed; an unlisted category becomes null. */
export function categoryOf(text: string | null): string | null {
  const written = text?.trim().toLowerCase() ?? '';
  return isTransactionCategory(written) ? written : null;
}

/** native-api 4.3: the last four characters of the account number. */
export function maskOf(text: string | null): string | null {
  const known = text?.replaceAll(/[^\p{L}\p{N}]/gu, '') ?? '';
  return known === '' ? null : [...known].slice(-4).join('');
}

/** Replaces the provider's account id until a bank has listed the account. */
export function importedAccountKey(originalId: string): string {
  return `import:${encodeURIComponent(originalId)}`;
}

/**
 * Replaces the provider's transaction id; `unique` serves transactions without an id from the app.
 */
export function importedRowKey(
  { accountOriginalId, originalId }: Pick<ImportedTransaction, 'accountOriginalId' | 'originalId'>,
  unique: string,
): string {
  return originalId === null
    ? `import:#${unique}`
    : `${importedAccountKey(accountOriginalId)}/${encodeURIComponent(originalId)}`;
}

/** Whether an account or transaction was imported and has not been found at a bank yet. */
export function isImportedKey(providerId: string): boolean {
  return providerId.startsWith('import:');
}
