import type { ReactElement } from 'react';
import { useZone } from '../../frame/preferences.js';
import { ageText, exactTime } from './format-time.js';
import { parseTime } from './parse-time.js';
import { useNow } from './use-now.js';
import classes from './time.module.css';

/** How old something is: `2 d old`. */
export function Age({ at, absent }: { at: string | null; absent: string }): ReactElement {
  const [zone] = useZone();
  const now = useNow();
  const date = at === null ? null : parseTime(at);
  if (date === null) return <span className={classes.absent}>{absent}</span>;
  return (
    <time className={classes.time} dateTime={date.toISOString()} title={exactTime(date, zone)}>
      {ageText(date, now)} old
    </time>
  );
}
