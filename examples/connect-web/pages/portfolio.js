// Texts and shapes for investments and payments; the pages draw them.
import { money } from './back-end.js';

/** The size of a chart in its own units: it is stretched to the width of the page. */
const CHART = { width: 640, height: 120 };

/**
 * The value of an account over time as a line, and in words for those who do not see it.
 * @returns null with fewer than two known values
 */
export function valueChart(balances) {
  const points = balances.flatMap(({ date, current, currency }) =>
    current === null ? [] : [{ date, value: current, text: money(current, currency) }],
  );
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || first === last) return null;
  const [start, end] = [Date.parse(first.date), Date.parse(last.date)];
  const values = points.map(({ value }) => value);
  const lowest = Math.min(...values);
  const range = Math.max(...values) - lowest || 1;
  const line = points
    .map(({ date, value }) => {
      const x = ((Date.parse(date) - start) / (end - start)) * CHART.width;
      const y = (1 - (value - lowest) / range) * CHART.height;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
  const label = `Value from ${first.date} to ${last.date}: from ${first.text} to ${last.text}`;
  return { viewBox: `0 0 ${CHART.width} ${CHART.height}`, line, label, points };
}

/** A holding in words. Unknown figures are not shown as zero. */
export function describeHolding({ security, quantity, value, cost_basis: cost, currency }) {
  return {
    name: security?.symbol ?? security?.name ?? 'Unnamed security',
    quantity,
    value: money(value, currency),
    gain: value === null || cost === null ? 'gain unknown' : gainOf(value - cost, currency),
  };
}

const gainOf = (gain, currency) =>
  `${money(Math.abs(gain), currency)} ${gain < 0 ? 'loss' : 'gain'}`;

/** Payments of debts and recurring ones, in the order of their days; what leaves an account is negative. */
export function nextPayments({ accounts, liabilities, streams }) {
  const names = new Map(accounts.map(({ account_id: id, name }) => [id, name]));
  const ofDebts = liabilities.flatMap(({ account_id: key, currency, next_payment: next }) => {
    if (!next?.due_on) return [];
    const amount = next.amount === null ? null : -next.amount;
    return [{ key, date: next.due_on, name: names.get(key), amount: money(amount, currency) }];
  });
  const ofStreams = streams.flatMap(({ stream_id: key, label, direction, amounts, next }) => {
    if (next === null) return [];
    const amount = direction === 'out' ? -amounts.typical : amounts.typical;
    return [{ key, date: next.expected, name: label, amount: money(amount, amounts.currency) }];
  });
  return [...ofDebts, ...ofStreams].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}
