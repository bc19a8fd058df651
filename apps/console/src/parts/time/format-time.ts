import type { Zone } from '../../frame/preferences.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const inZone = (zone: Zone, localZone?: string): string | undefined =>
  zone === 'UTC' ? 'UTC' : localZone;

type Parts = Readonly<Record<string, string>>;

function partsOf(at: Date, timeZone: string | undefined): Parts {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

const offsetOf = (parts: Parts): string => {
  const offset = (parts.timeZoneName ?? '').replace('GMT', 'UTC');
  return offset === 'UTC' || offset === 'UTC+00:00' ? 'UTC' : offset;
};

/**
 * The distance to a time within a day, else its day and minute, with the year where it is another one.
 * @param localZone the zone of the browser, unless a test names another
 */
export function shortTime(at: Date, now: Date, zone: Zone, localZone?: string): string {
  const distance = now.getTime() - at.getTime();
  return Math.abs(distance) < DAY_MS ? relative(distance) : dayAndMinute(at, now, zone, localZone);
}

function relative(distance: number): string {
  const size = Math.abs(distance);
  if (size < MINUTE_MS) return distance < 0 ? 'in under 1 min' : 'just now';
  const text =
    size < HOUR_MS ? `${Math.floor(size / MINUTE_MS)} min` : `${Math.floor(size / HOUR_MS)} h`;
  return distance < 0 ? `in ${text}` : `${text} ago`;
}

/** `28 Nov 13:04`, or `28 Nov 2025, 13:04` of another year. */
export function dayAndMinute(at: Date, now: Date, zone: Zone, localZone?: string): string {
  const timeZone = inZone(zone, localZone);
  const { day, month, year, hour, minute } = partsOf(at, timeZone);
  return year === partsOf(now, timeZone).year
    ? `${day} ${month} ${hour}:${minute}`
    : `${day} ${month} ${year}, ${hour}:${minute}`;
}

/** `28 Nov 2026, 13:04:11.402 UTC+01:00`. */
export function exactTime(at: Date, zone: Zone, localZone?: string): string {
  const parts = partsOf(at, inZone(zone, localZone));
  const { day, month, year, hour, minute, second, fractionalSecond } = parts;
  return `${day} ${month} ${year}, ${hour}:${minute}:${second}.${fractionalSecond} ${offsetOf(parts)}`;
}

/** `13:04:11.4`, for the attempts of one delivery. */
export function clockTime(at: Date, zone: Zone, localZone?: string): string {
  const { hour, minute, second, fractionalSecond } = partsOf(at, inZone(zone, localZone));
  return `${hour}:${minute}:${second}.${fractionalSecond?.slice(0, 1)}`;
}

/** The hour of a chart: `13:00`. */
export function hourText(at: Date, zone: Zone, localZone?: string): string {
  const { hour, minute } = partsOf(at, inZone(zone, localZone));
  return `${hour}:${minute}`;
}

/** The zone as tables name it: `Europe/Berlin, UTC+01:00`. */
export function zoneName(now: Date, zone: Zone, localZone?: string): string {
  if (zone === 'UTC') return 'UTC';
  const name = localZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const offset = offsetOf(partsOf(now, localZone));
  return name === offset ? name : `${name}, ${offset}`;
}

/** A day of the API (`2026-11-28`), which no zone moves. */
export function dayText(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return day;
  const at = new Date(Date.UTC(year, month - 1, date));
  if (Number.isNaN(at.getTime())) return day;
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(at);
}

/** `2 d`, `3 h`, `5 min`: an age without the word ago. */
export function ageText(at: Date, now: Date): string {
  const age = Math.max(0, now.getTime() - at.getTime());
  if (age < MINUTE_MS) return 'under 1 min';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  return age < 2 * DAY_MS ? `${Math.floor(age / HOUR_MS)} h` : `${Math.floor(age / DAY_MS)} d`;
}

/** A time of an `<input type="datetime-local">` as the API reads it: UTC, with `Z`. */
export function fromInput(text: string, zone: Zone): string | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return null;
  const at = new Date(zone === 'UTC' ? `${text}Z` : text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** A time of the address as an `<input type="datetime-local">` shows it. */
export function toInput(at: Date, zone: Zone): string {
  const shifted = zone === 'UTC' ? at : new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS);
  return shifted.toISOString().slice(0, 16);
}
