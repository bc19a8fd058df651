import { moneyText } from '../money/money-text.js';
import { dayText } from '../time/format-time.js';

/** A day of `GET …/balances`, with amounts as texts. */
export interface BalanceDay {
  date: string;
  currency: string;
  current: string | null;
  available: string | null;
}

/** A balance that holds from its day until the next one. */
export interface BalanceStep {
  date: string;
  /** Days since the start of the chart. */
  at: number;
  amount: string;
}

export interface BalanceSeries {
  days: number;
  currency: string;
  /** In the order of days; the first may stand for a day before the chart. */
  steps: readonly BalanceStep[];
}

const DAY_MS = 86_400_000;
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/**
 * The steps of an account: a day without an entry has the balance before it, so a chart must not slope
 * between two days. Entries of another currency than the newest are left out: no axis has two.
 */
export function balanceSeries(
  from: string,
  to: string,
  opening: BalanceDay | null,
  entries: readonly BalanceDay[],
): BalanceSeries | null {
  const all = [...(opening === null ? [] : [{ ...opening, date: from }]), ...entries];
  const currency = all.at(-1)?.currency;
  if (currency === undefined) return null;
  const start = numberOf(from);
  const steps = all.flatMap((entry) => {
    const amount = entry.current ?? entry.available;
    return entry.currency !== currency || amount === null
      ? []
      : [{ date: entry.date, at: numberOf(entry.date) - start, amount }];
  });
  // The day of the chart's start may have an entry of its own.
  const unique = steps.filter(({ at }, index) => steps[index + 1]?.at !== at);
  if (unique.length === 0) return null;
  return { days: numberOf(to) - start + 1, currency, steps: unique };
}

/** The name of the chart: `2,350.00 USD on 28 Nov 2026, 90 days: lowest 1,020.00 USD, highest …`. */
export function balanceSentence({ days, currency, steps }: BalanceSeries): string {
  const [first] = steps;
  if (first === undefined) return '';
  let last = first;
  let lowest = first;
  let highest = first;
  for (const step of steps) {
    last = step;
    if (Number(step.amount) < Number(lowest.amount)) lowest = step;
    if (Number(step.amount) > Number(highest.amount)) highest = step;
  }
  const text = ({ amount }: BalanceStep): string => moneyText(amount, currency);
  const span = `${days} ${days === 1 ? 'day' : 'days'}`;
  const head = `${text(last)} since ${dayText(last.date)}`;
  return lowest === highest
    ? `${head}, ${span} without a change.`
    : `${head}, ${span}: lowest ${text(lowest)}, highest ${text(highest)}.`;
}

/** The line of the chart in a field of `width` × `height`; it reaches to the end of the last day. */
export function stepPath({ days, steps }: BalanceSeries, width: number, height: number): string {
  const amounts = steps.map(({ amount }) => Number(amount));
  const low = Math.min(...amounts);
  const span = Math.max(...amounts) - low;
  const x = (at: number): string => ((at / days) * width).toFixed(1);
  const y = (amount: number): string =>
    (span === 0 ? height / 2 : height - ((amount - low) / span) * height).toFixed(1);
  const lines = steps.map(({ at, amount }, index) =>
    index === 0 ? `M${x(at)} ${y(Number(amount))}` : `H${x(at)}V${y(Number(amount))}`,
  );
  return `${lines.join('')}H${x(days)}`;
}
