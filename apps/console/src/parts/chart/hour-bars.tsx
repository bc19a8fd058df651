import { useId, type ReactElement } from 'react';
import { useZone } from '../../frame/preferences.js';
import { hourText } from '../time/format-time.js';
import { parseTime } from '../time/parse-time.js';
import { ChartFrame } from './chart-frame.js';
import { hoursSentence, segmentsOf, totalsOf, type Hour } from './hour-series.js';
import classes from './chart.module.css';

const STEP = 25;
const BAR = 17;
const HEIGHT = 96;

/** 24 hours as stacked bars: ok filled, failed hatched, left outlined. */
export function HourBars({
  subject,
  hours,
}: {
  subject: string;
  hours: readonly Hour[];
}): ReactElement {
  const [zone] = useZone();
  const hatch = useId();
  const { most } = totalsOf(hours);
  const canLeave = hours.some(({ left }) => left !== undefined);
  const named = (hour: string): string => {
    const at = parseTime(hour);
    return at === null ? hour : hourText(at, zone);
  };
  const width = STEP * hours.length;
  return (
    <ChartFrame
      sentence={hoursSentence(subject, hours)}
      chart={(label) => (
        <>
          <svg
            className={classes.chart}
            viewBox={`0 -1 ${width} ${HEIGHT + 2}`}
            preserveAspectRatio="none"
            role="img"
            aria-labelledby={label}
          >
            <defs>
              <pattern
                id={hatch}
                width="5"
                height="5"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
              >
                <path className={classes.hatch} d="M0 0V5" />
              </pattern>
            </defs>
            <path
              className={classes.base}
              d={`M0 ${HEIGHT}H${width}`}
              vectorEffect="non-scaling-stroke"
            />
            {hours.map((hour, index) => (
              <g key={hour.hour}>
                {segmentsOf(hour, most).map(({ kind, from, to }) => (
                  <rect
                    key={kind}
                    className={classes[kind]}
                    {...(kind === 'failed' ? { fill: `url(#${hatch})` } : {})}
                    x={index * STEP + (STEP - BAR) / 2}
                    width={BAR}
                    y={HEIGHT - to * HEIGHT}
                    height={(to - from) * HEIGHT}
                    vectorEffect="non-scaling-stroke"
                  />
                ))}
              </g>
            ))}
          </svg>
          <div className={classes.hours} aria-hidden="true">
            {hours
              .filter((_, index) => index % 6 === 0)
              .map(({ hour }) => (
                <span key={hour}>{named(hour)}</span>
              ))}
          </div>
          <ul className={classes.legend}>
            <Key kind="ok" text="ok" hatch={hatch} />
            <Key kind="failed" text="failed" hatch={hatch} />
            {canLeave && <Key kind="left" text="left by the user" hatch={hatch} />}
          </ul>
        </>
      )}
      table={
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Hour</th>
              <th scope="col">Ok</th>
              <th scope="col">Failed</th>
              {canLeave && <th scope="col">Left</th>}
            </tr>
          </thead>
          <tbody>
            {hours.map(({ hour, ok, failed, left }) => (
              <tr key={hour}>
                <td>{named(hour)}</td>
                <td>{ok}</td>
                <td>{failed}</td>
                {canLeave && <td>{left}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      }
    />
  );
}

function Key({
  kind,
  text,
  hatch,
}: {
  kind: 'ok' | 'failed' | 'left';
  text: string;
  hatch: string;
}): ReactElement {
  return (
    <li>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <rect
          className={classes[kind]}
          {...(kind === 'failed' ? { fill: `url(#${hatch})` } : {})}
          x="1"
          y="1"
          width="10"
          height="10"
        />
      </svg>
      {text}
    </li>
  );
}
