import type { LinkedBank } from './back-end.js';

type Portfolio = LinkedBank['portfolios'][number];

export function valueChart(balances: Portfolio['balances']): {
  viewBox: string;
  /** The points of a polyline. */
  line: string;
  label: string;
  points: { date: string; text: string }[];
} | null;
export function describeHolding(holding: Portfolio['holdings'][number]): {
  name: string;
  quantity: string;
  value: string;
  gain: string;
};
export function nextPayments(
  bank: LinkedBank,
): { key: string; date: string; name: string | undefined; amount: string }[];
