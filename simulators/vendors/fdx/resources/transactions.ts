import type { Row } from '../../ledger/ledger.types.js';
import { absoluteMoney, isNegative } from '../../ledger/money.js';
import { FdxError } from './fdx-error.js';
import type { AccountCategory, HeldAccount } from './held-account.js';
import { JsonNumber, type FdxValue } from './json-number.js';

/** The body of each row of an account between two times, both included, the newest first. */
export function rowsBetween(
  { category, inLedger, trades = [] }: HeldAccount,
  query: URLSearchParams,
  takesDaysOnly: boolean,
): FdxValue[] {
  const start = readTime(query.get('startTime'), takesDaysOnly);
  const end = readTime(query.get('endTime'), takesDaysOnly);
  if (start !== null && end !== null && start.slice(0, 10) > end.slice(0, 10))
    throw new FdxError(703);
  const isAfter = (row: Timed) => start === null || timeOf(row, start) >= start;
  const isBefore = (row: Timed) => end === null || timeOf(row, end) <= end;
  const isBetween = (row: Timed) => isAfter(row) && isBefore(row);
  return [
    ...(inLedger?.rows ?? []).filter(isBetween).map((row) => showTransaction(row, category)),
    ...trades.filter(isBetween).map(({ fields }) => fields),
  ].reverse();
}

type Timed = Pick<Row, 'day' | 'instant'>;

/** The compared part of a row: its day with a day, its instant with a time. */
const timeOf = ({ day, instant }: Timed, bound: string): string =>
  bound.length === 10 ? day : instant;

/** @returns a day, or a time in UTC with milliseconds @throws FdxError 702 */
function readTime(text: string | null, takesDaysOnly: boolean): string | null {
  if (text === null) return null;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  if (!(isDay || (isTime && !takesDaysOnly)) || Number.isNaN(Date.parse(text)))
    throw new FdxError(702);
  return isDay ? text : new Date(text).toISOString();
}

/** FDX amounts have no sign: `debitCreditMemo` shows whether money left the account. */
function showTransaction(row: Row, category: AccountCategory): FdxValue {
  const { details } = row;
  return {
    accountCategory: category,
    transactionId: row.id,
    postedTimestamp: row.status === 'posted' ? row.instant : undefined,
    transactionTimestamp: row.instant,
    description: row.description,
    ...(category === 'DEPOSIT_ACCOUNT'
      ? { payee: row.merchant ?? undefined, checkNumber: details.checkNumber }
      : {}),
    memo: details.memo,
    // The format prefers a merchant category code to a name of the bank's own.
    category: details.mcc,
    foreignAmount:
      details.original === undefined ? undefined : new JsonNumber(details.original.amount),
    foreignCurrency: details.original?.currency,
    debitCreditMemo: isNegative(row.amount) ? 'DEBIT' : 'CREDIT',
    status: statusOf(row, category),
    amount: new JsonNumber(absoluteMoney(row.amount)),
  };
}

/** Cards show unbooked rows as MEMO, which clients treat as pending. */
function statusOf({ status }: Row, category: AccountCategory): string {
  if (status === 'posted') return 'POSTED';
  return category === 'LOC_ACCOUNT' ? 'MEMO' : 'PENDING';
}
