import { accountIdOf } from '../accounts/accounts.js';
import type { BankTransaction } from './bank-transaction.js';
import { dataSeedOf, derivedId, type Customer } from '../customers/customer.js';
import { isoDateOf } from './day-number.js';
import { drawsFrom } from '../accounts/draws.js';
import { plusDollars, purchase, WITHOUT_TIMES } from './row-contents.js';

const FIRST_POSTED = 10;
const NEW_EACH_FETCH = 2;

/**
 * The rows of `user_dynamic` after a number of fetches, of which only the days are stored.
 * Rows are numbered in order of appearance: 0..9 posted and 10, 11 pending at the first fetch, then
 * two more with each.
 * Source: link-lifecycle 13.3.
 */
export function dynamicTransactions(
  customer: Customer,
  fetchDays: readonly number[],
): BankTransaction[] {
  const [firstDay] = fetchDays;
  if (firstDay === undefined) return [];
  const later = fetchDays.length - 1;
  const firstPending = FIRST_POSTED + later * NEW_EACH_FETCH;
  const rows: BankTransaction[] = [];
  // every later fetch removes the oldest posted row
  for (let number = later; number < firstPending + NEW_EACH_FETCH; number += 1) {
    const row = rowNumber(customer, number, dayOfRow(number, fetchDays, firstDay));
    if (row === null) continue;
    // Later rows are dated on the day of their fetch.
    if (number >= FIRST_POSTED) Object.assign(row, WITHOUT_TIMES);
    const amount = wasRaised(number, later) ? plusDollars(row.amount, 1) : row.amount;
    rows.push({ ...row, amount, status: number >= firstPending ? 'PENDING' : 'BOOKED' });
  }
  return rows;
}

/**
 * Every later fetch raises the newest of the rows that were posted before it: number 9, then 11,
 * 13, …
 */
function wasRaised(number: number, later: number): boolean {
  const newest = FIRST_POSTED - 1;
  return (
    number >= newest &&
    (number - newest) % NEW_EACH_FETCH === 0 &&
    number <= newest + (later - 1) * NEW_EACH_FETCH
  );
}

/**
 * Posted rows of the first fetch are dated on the days before it; the others on the day of their
 * fetch.
 */
function dayOfRow(number: number, fetchDays: readonly number[], firstDay: number): number {
  if (number < FIRST_POSTED) return firstDay - 2 - (FIRST_POSTED - number);
  return fetchDays[Math.floor((number - FIRST_POSTED) / NEW_EACH_FETCH)] ?? firstDay;
}

function rowNumber(
  customer: Customer,
  number: number,
  dayNumber: number,
): Omit<BankTransaction, 'status'> | null {
  const content = purchase(
    customer,
    dayNumber,
    drawsFrom(`${dataSeedOf(customer)}/dynamic/${number}`),
  );
  if (content === null) return null;
  const { account, ...shown } = content;
  return {
    transaction_id: derivedId('tx', customer, 'dynamic', String(number)),
    account_id: accountIdOf(customer, account),
    currency: account.currency,
    booking_date: isoDateOf(dayNumber),
    ...shown,
  };
}
