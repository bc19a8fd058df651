import type { ReactElement } from 'react';
import { Tooltip } from '@mantine/core';
import { useZone } from '../../frame/preferences.js';
import { parseTime } from './parse-time.js';
import { clockTime, dayAndMinute, exactTime, shortTime } from './format-time.js';
import { useNow } from './use-now.js';
import classes from './time.module.css';

export interface TimeProps {
  /** As the API writes it; null shows `never`, or `absent`. */
  at: string | null | undefined;
  absent?: string;
  /** `short` is relative up to a day. */
  form?: 'short' | 'day' | 'clock' | 'exact';
  /** In rows that are links, the row has the focus. */
  inRow?: boolean;
}

/** A time with its exact text on hover and focus. */
export function Time({
  at,
  absent = 'never',
  form = 'short',
  inRow = false,
}: TimeProps): ReactElement {
  const [zone] = useZone();
  const now = useNow();
  if (at === null || at === undefined) return <span className={classes.absent}>{absent}</span>;
  const date = parseTime(at);
  if (date === null) return <span>{at}</span>;
  const exact = exactTime(date, zone);
  const text = {
    short: () => shortTime(date, now, zone),
    day: () => dayAndMinute(date, now, zone),
    clock: () => clockTime(date, zone),
    exact: () => exact,
  }[form]();
  if (inRow || form === 'exact')
    return (
      <time className={classes.time} dateTime={date.toISOString()} title={exact}>
        {text}
      </time>
    );
  return (
    <Tooltip label={exact} events={{ hover: true, focus: true, touch: true }} withArrow>
      {/* The exact time must not need a pointer. */}
      <time className={classes.time} dateTime={date.toISOString()} tabIndex={0}>
        {text}
      </time>
    </Tooltip>
  );
}
