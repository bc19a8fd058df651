/**
 * `mature` is the number of rows that make a stream; with one row less, and equal amounts, it is early. A row may be
 * `tolerance` days away from its date.
 */
interface IntervalRule {
  /** Days of a period, or months. */
  days?: number;
  months?: number;
  /** Two days of each month. */
  twice?: true;
  tolerance: number;
  mature: number;
}

export const INTERVALS = [
  'weekly',
  'biweekly',
  'four_weekly',
  'semi_monthly',
  'monthly',
  'bimonthly',
  'quarterly',
  'semiannual',
  'annual',
] as const;
export type Interval = (typeof INTERVALS)[number];

export const INTERVAL_RULES: Readonly<Record<Interval, IntervalRule>> = {
  weekly: { days: 7, tolerance: 1, mature: 5 },
  biweekly: { days: 14, tolerance: 2, mature: 4 },
  four_weekly: { days: 28, tolerance: 2, mature: 4 },
  semi_monthly: { twice: true, tolerance: 4, mature: 4 },
  monthly: { months: 1, tolerance: 4, mature: 3 },
  bimonthly: { months: 2, tolerance: 4, mature: 3 },
  quarterly: { months: 3, tolerance: 4, mature: 3 },
  semiannual: { months: 6, tolerance: 4, mature: 3 },
  annual: { months: 12, tolerance: 12, mature: 3 },
};

const DAYS_OF_MONTH = 30.44;

/** The mean length of a period. */
export function daysOf(interval: Interval): number {
  const { days, months = 0.5 } = INTERVAL_RULES[interval];
  return days ?? months * DAYS_OF_MONTH;
}
