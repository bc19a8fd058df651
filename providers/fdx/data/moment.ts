import { Unreadable } from '../../http/read-scope.js';
import { realDay } from '../../http/real-day.js';
import type { RemoteObject } from '../../http/remote-object.js';

/** A time as a bank writes it. */
export interface Moment {
  /** `YYYY-MM-DD` as written: in the bank's time, if the time has an offset. */
  day: string;
  /** The same with the time of day; null for a time in UTC, which is not the bank's local time. */
  local: string | null;
  /** Null for a day or a time without an offset. */
  instant: Date | null;
}

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})(?:T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** @throws Unreadable */
export function momentOf(remote: RemoteObject, field: string): Moment {
  const text = remote.text(field, { max: 40, pattern: MOMENT });
  const [, written = '', time, fraction = '', zone] = MOMENT.exec(text) ?? [];
  const day = realDay(written);
  if (day === null) throw impossible(field);
  if (time === undefined) return { day, local: null, instant: null };
  const local = `${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  if (zone === undefined) return { day, local, instant: null };
  const instant = new Date(`${local}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`);
  if (Number.isNaN(instant.getTime())) throw impossible(field);
  return { day, local: zone === 'Z' ? null : local, instant };
}

const impossible = (field: string): Unreadable =>
  new Unreadable('time', field, 'impossible', 'a time');
