import { accountIdOf } from '../accounts/accounts.js';
import type { BankTransaction } from './bank-transaction.js';
import { dataSeedOf, derivedId, type Customer } from '../customers/customer.js';
import { dayNumberOf, isoDateOf } from './day-number.js';
import { drawsFrom } from '../accounts/draws.js';
import { billOn } from './monthly-bills.js';
import { monthlyBill, purchase, wages, WITHOUT_TIMES, type RowContent } from './row-contents.js';

/** link-lifecycle 13.2: a row on every day not divisible by 3, so 60 in any 90 days. */
export function hasRow(dayNumber: number): boolean {
  return dayNumber % 3 !== 0;
}

/**
 * link-lifecycle 13.2: every 14th day is pay day; one without a row (divisible by 42) pays nothing.
 */
export function isPayday(dayNumber: number): boolean {
  return dayNumber % 14 === 0;
}

/**
 * The row of a day, which depends on the customer and the day alone; `now` only decides whether it
 * has settled. A pending one has no time yet.
 */
export function transactionOnDay(
  customer: Customer,
  dayNumber: number,
  now: Date,
): BankTransaction | null {
  if (!hasRow(dayNumber)) return null;
  const content = isPayday(dayNumber)
    ? wages(customer, dayNumber)
    : (bill(customer, dayNumber) ??
      purchase(customer, dayNumber, drawsFrom(`${dataSeedOf(customer)}/day/${dayNumber}`)));
  if (content === null) return null;
  const { account, ...shown } = content;
  return {
    transaction_id: derivedId('tx', customer, String(dayNumber)),
    account_id: accountIdOf(customer, account),
    currency: account.currency,
    booking_date: isoDateOf(dayNumber),
    ...shown,
    ...(dayNumber >= dayNumberOf(now) - 1
      ? { status: 'PENDING', ...WITHOUT_TIMES }
      : { status: 'BOOKED' }),
  };
}

function bill(customer: Customer, dayNumber: number): RowContent | null {
  const found = billOn(dayNumber, (day) => hasRow(day) && !isPayday(day));
  return found === null ? null : monthlyBill(customer, found, dayNumber);
}

/** Rows of the days `first` to `last`. */
export function generatedTransactions(
  customer: Customer,
  { first, last }: { first: number; last: number },
  now: Date,
): BankTransaction[] {
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return days.flatMap((day) => transactionOnDay(customer, day, now) ?? []);
}
