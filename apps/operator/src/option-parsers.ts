import { InvalidArgumentError } from 'commander';
import { isDay } from '../../../domain/api/timestamps.js';
import { parseUrl } from '../../../domain/addresses/parse-url.js';
import { parseDuration } from '../../platform/src/config/duration.js';

/** A share of a limit. */
export function percent(text: string): number {
  const percentage = /^(\d{1,3})%?$/.exec(text)?.[1] ?? '';
  if (percentage === '' || Number(percentage) < 1 || Number(percentage) > 100)
    throw new InvalidArgumentError('Must be a share from 1% to 100%.');
  return Number(percentage);
}

/** A duration as in the settings; in milliseconds, at least one. */
export function duration(text: string): number {
  try {
    const ms = parseDuration(text);
    if (ms > 0) return ms;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new InvalidArgumentError('Must be a duration such as 30s, 15m, 6h or 30d.');
}

const MAX_OVERLAP_MS = 365 * 86_400_000;

/** The time for which the earlier secrets of a key pair continue to work, in milliseconds. */
export function overlap(text: string): number {
  const ms = duration(text);
  if (ms > MAX_OVERLAP_MS) throw new InvalidArgumentError('Must be at most 365d.');
  return ms;
}

const MAX_LABEL = 100;

/** A name that operators give to something: one line. */
export function label(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_LABEL || /[\p{Cc}\p{Cs}]/u.test(name))
    throw new InvalidArgumentError(`Must be one line of 1 to ${MAX_LABEL} characters.`);
  return name;
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/;

/** A day, which is its start in UTC, or a time. */
export function time(text: string): Date {
  const named = new Date(text);
  if (!DATE.test(text) || !isDay(text.slice(0, 10)) || Number.isNaN(named.getTime()))
    throw new InvalidArgumentError(
      'Must be a date such as 2027-01-31, or a time such as 2027-01-31T18:00Z.',
    );
  return named;
}

/** A time that is not over yet. */
export function future(text: string): Date {
  const named = time(text);
  if (named.getTime() <= Date.now()) throw new InvalidArgumentError('Must be in the future.');
  return named;
}

/** An id that an app or the service gave to something. */
export function id(text: string): string {
  if (text === '' || /[\p{Cc}\p{Cs}]/u.test(text))
    throw new InvalidArgumentError('Must not be empty.');
  return text;
}

/** `default`: the value of the settings. */
export function durationOrDefault(text: string): number | 'default' {
  return text === 'default' ? text : duration(text);
}

/** A bound of an app, up to 15 digits. `default`: the value of the settings. */
export function boundOrDefault(text: string): number | 'default' {
  if (text === 'default') return text;
  if (!/^\d{1,15}$/.test(text))
    throw new InvalidArgumentError('Must be a whole number, or `default`.');
  return Number(text);
}

/** An https URL from which a browser loads images. */
export function httpsAddress(text: string): string {
  const url = parseUrl(text);
  if (url?.protocol !== 'https:') throw new InvalidArgumentError('Must be an https address.');
  return url.href;
}

/** Like `parse`, but keeps an empty text. */
export function orEmpty(parse: (text: string) => string): (text: string) => string {
  return (text) => (text === '' ? '' : parse(text));
}

/** For an option that may be repeated. An empty value clears the list. */
export function collectOrNone<T>(
  parse: (text: string) => T,
): (text: string, earlier?: readonly T[]) => T[] {
  return (text, earlier = []) => (text === '' ? [] : [...new Set([...earlier, parse(text)])]);
}
