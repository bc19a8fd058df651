import type { Merchant } from './merchants.js';

/** A company that customers pay each month: on this day, or on their next day with a payment. */
export interface MonthlyBill extends Merchant {
  dayOfMonth: number;
}

const billOf = (
  dayOfMonth: number,
  name: string,
  category: string,
  cents: Merchant['cents'],
): MonthlyBill => ({
  dayOfMonth,
  name,
  category,
  mcc: null,
  channel: 'direct_debit',
  cents,
  hours: [0, 0],
});

/** Customers pay none of them otherwise, so that each is a stream of payments. */
export const MONTHLY_BILLS: readonly MonthlyBill[] = [
  billOf(1, 'Maple Row Apartments', 'mortgage_and_rent.rent', [90_000, 180_000]),
  billOf(8, 'Skyline Fiber', 'media_and_telecoms.internet_and_phone', [3999, 7999]),
  billOf(20, 'Hearth Home Insurance', 'insurance.home', [1800, 4200]),
];

/** The bill that is paid on a day, if any. `isPaid` tells the days on which a customer can pay. */
export function billOn(day: number, isPaid: (day: number) => boolean): MonthlyBill | null {
  if (!isPaid(day)) return null;
  for (let due = day; due === day || !isPaid(due); due -= 1) {
    const bill = MONTHLY_BILLS.find(({ dayOfMonth }) => dayOfMonth === dayOfMonthOf(due));
    if (bill !== undefined) return bill;
  }
  return null;
}

function dayOfMonthOf(dayNumber: number): number {
  return new Date(dayNumber * 86_400_000).getUTCDate();
}
