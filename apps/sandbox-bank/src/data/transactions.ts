import { accountIdOf } from './accounts.js';
import { dataSeedOf, derivedId, type Customer } from './customer.js';
import { dayNumberOf, isoDateOf } from './day-number.js';
import { drawsFrom, type Draws } from './draws.js';
import type { AccountTemplate } from './institutions.js';
import { EMPLOYERS, MERCHANTS, TOWNS, type Merchant } from './merchants.js';

/** A row as the bank's API shows it. Money is an exact decimal in a string, direction is apart. */
export interface BankTransaction {
  transaction_id: string;
  account_id: string;
  direction: 'OUT' | 'IN';
  amount: string;
  currency: string;
  booking_date: string;
  /** Local time of the bank, `YYYY-MM-DDTHH:MM:SS.mmm`, always on the booking date; null when not known. */
  local_datetime: string | null;
  status: 'PENDING' | 'BOOKED';
  description: string;
  statement_text: string;
  category: string | null;
}

/** Days a customer can look back, today included. Source: link-lifecycle 13.2. */
export const HISTORY_DAYS = 730;

/** First and last day of history at a moment. */
export function historyAt(now: Date): { first: number; last: number } {
  const today = dayNumberOf(now);
  return { first: today - (HISTORY_DAYS - 1), last: today };
}

/** link-lifecycle 13.2: a row on every day not divisible by 3, so 60 in any 90 days. */
export function hasRow(dayNumber: number): boolean {
  return dayNumber % 3 !== 0;
}

/** link-lifecycle 13.2: every 14th day is pay-day; one that has no row (divisible by 42) pays nothing. */
export function isPayday(dayNumber: number): boolean {
  return dayNumber % 14 === 0;
}

/** The row of a day, which depends on the customer and the day alone; `now` decides only whether it has settled. */
export function transactionOnDay(customer: Customer, dayNumber: number, now: Date): BankTransaction | null {
  if (!hasRow(dayNumber)) return null;
  const content = isPayday(dayNumber) ? wagesOn(customer, dayNumber) : purchaseOn(customer, dayNumber);
  if (content === null) return null;
  const { account, ...shown } = content;
  return {
    transaction_id: derivedId('tx', customer, String(dayNumber)),
    account_id: accountIdOf(customer, account),
    currency: account.currency,
    booking_date: isoDateOf(dayNumber),
    status: dayNumber >= dayNumberOf(now) - 1 ? 'PENDING' : 'BOOKED',
    ...shown,
  };
}

type RowContent = Pick<
  BankTransaction,
  'direction' | 'amount' | 'local_datetime' | 'description' | 'statement_text' | 'category'
> & { account: AccountTemplate };

function wagesOn(customer: Customer, dayNumber: number): RowContent | null {
  const account = customer.institution.accounts.find((template) => template.receivesWages);
  if (account === undefined) return null;
  // one employer and one wage per customer: drawn from the customer, not from the day
  const draws = drawsFrom(`${dataSeedOf(customer)}/employment`);
  const employer = draws.pick(EMPLOYERS);
  return {
    account,
    direction: 'IN',
    amount: decimalOf(draws.integer(150_000, 320_000)),
    local_datetime: null,
    description: `${employer} payroll`,
    statement_text: `ACH CREDIT ${employer.toUpperCase()} PAYROLL ${monthDayOf(dayNumber)}`,
    category: 'income.wages',
  };
}

function purchaseOn(customer: Customer, dayNumber: number): RowContent | null {
  const [first, ...others] = customer.institution.accounts.filter((template) => template.spending);
  if (first === undefined) return null;
  const seed = dataSeedOf(customer);
  const town = drawsFrom(`${seed}/home`).pick(TOWNS);
  const draws = drawsFrom(`${seed}/day/${dayNumber}`);
  const merchant = draws.pick(MERCHANTS);
  return {
    account: draws.pick([first, ...others]),
    direction: 'OUT',
    amount: decimalOf(draws.integer(...merchant.cents)),
    local_datetime: merchant.channel === 'card' ? `${isoDateOf(dayNumber)}T${timeAt(merchant, draws)}` : null,
    description: merchant.name,
    statement_text: statementText(merchant, town, dayNumber, draws),
    category: merchant.category,
  };
}

function statementText(merchant: Merchant, town: string, dayNumber: number, draws: Draws): string {
  const name = merchant.name.toUpperCase();
  switch (merchant.channel) {
    case 'card':
      return `POS ${monthDayOf(dayNumber)} ${name} ${town.toUpperCase()}`;
    case 'online':
      return `WEB PMT ${name} ${draws.integer(100_000, 999_999)}`;
    case 'direct_debit':
      return `ACH DEBIT ${name} ${draws.integer(10_000_000, 99_999_999)}`;
  }
}

function timeAt(merchant: Merchant, draws: Draws): string {
  const [opens, closes] = merchant.hours;
  return `${twoDigits(draws.integer(opens, closes))}:${twoDigits(draws.integer(0, 59))}:00.000`;
}

function monthDayOf(dayNumber: number): string {
  return isoDateOf(dayNumber).slice(5).replace('-', '');
}

function decimalOf(cents: number): string {
  return `${Math.floor(cents / 100)}.${twoDigits(cents % 100)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
