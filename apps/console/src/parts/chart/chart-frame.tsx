import { useId, useState, type ReactElement, type ReactNode } from 'react';
import { TEXTS } from '../texts.js';
import classes from './chart.module.css';

/** A chart, its sentence, and the same data as a table. */
export function ChartFrame({
  sentence,
  chart,
  table,
}: {
  sentence: string;
  /** @param label the id of the element that names the chart */
  chart: (label: string) => ReactNode;
  table: ReactNode;
}): ReactElement {
  const [isTable, setTable] = useState(false);
  const label = useId();
  return (
    <figure className={classes.figure}>
      {isTable ? (
        <div className={classes.scroll} tabIndex={0} role="region" aria-labelledby={label}>
          {table}
        </div>
      ) : (
        chart(label)
      )}
      <figcaption className={classes.caption}>
        <span id={label}>{sentence}</span>{' '}
        <button type="button" className={classes.toggle} onClick={() => setTable(!isTable)}>
          {isTable ? TEXTS.asChart : TEXTS.asTable}
        </button>
      </figcaption>
    </figure>
  );
}
