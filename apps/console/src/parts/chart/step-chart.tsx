import type { ReactElement } from 'react';
import { Money } from '../money/money.js';
import { moneyText } from '../money/money-text.js';
import { dayText } from '../time/format-time.js';
import { balanceSentence, stepPath, type BalanceSeries } from './balance-days.js';
import { ChartFrame } from './chart-frame.js';
import classes from './chart.module.css';

const WIDTH = 600;
const HEIGHT = 96;

/** The balance of an account over its days, as a step line. */
export function StepChart({ series }: { series: BalanceSeries }): ReactElement {
  const line = stepPath(series, WIDTH, HEIGHT);
  const start = /^M([\d.]+)/.exec(line)?.[1] ?? '0';
  const amounts = series.steps.map(({ amount }) => Number(amount));
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  const named = (value: number): string => {
    const step = series.steps.find(({ amount }) => Number(amount) === value);
    return step === undefined ? '' : moneyText(step.amount, series.currency);
  };
  return (
    <ChartFrame
      sentence={balanceSentence(series)}
      chart={(label) => (
        <div className={classes.withAxis}>
          <svg
            className={classes.chart}
            viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
            preserveAspectRatio="none"
            role="img"
            aria-labelledby={label}
          >
            <path className={classes.area} d={`${line}V${HEIGHT + 4}H${start}Z`} />
            <path className={classes.line} d={line} vectorEffect="non-scaling-stroke" />
          </svg>
          <div className={classes.axis} aria-hidden="true">
            <span>{named(high)}</span>
            {low !== high && <span>{named(low)}</span>}
          </div>
        </div>
      )}
      table={
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Balance from then on</th>
            </tr>
          </thead>
          <tbody>
            {series.steps.toReversed().map(({ date, amount }) => (
              <tr key={date}>
                <td>{dayText(date)}</td>
                <td>
                  <Money digits={amount} currency={series.currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    />
  );
}
