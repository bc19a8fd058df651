import { Decimal } from 'decimal.js';
import { isLosslessNumber } from 'lossless-json';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { FaultReason } from '../../domain/refresh/source-fault.js';
import { plainText } from './plain-text.js';
import { isRealTime, realDay } from './real-day.js';
import { readEach, readPart, Unreadable, type ReadScope } from './read-scope.js';

const LOCAL_DATETIME = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}$/;
const DECIMAL = /^-?\d{1,19}(\.\d{1,19})?$/;
/** A sign, a point, and 19 digits on each side of it. */
const MAX_DECIMAL = 40;
const FIGURE = /^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/i;
/** Longer than any figure: the exact form of a binary fraction has up to 55 digits. */
const MAX_FIGURE = 100;

/** A failure that names the field but never its value. */
export function malformed(what: string): ProviderFailure {
  return new ProviderFailure(
    'malformed',
    `The response of the bank could not be understood: ${what}.`,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Characters that PostgreSQL cannot store in a text: NUL, and unpaired surrogates. */
const UNSTORABLE = /[\0\p{Cs}]/u;

function isText(value: unknown, max: number): value is string {
  return (
    typeof value === 'string' && value.length >= 1 && value.length <= max && !UNSTORABLE.test(value)
  );
}

/**
 * A remote object, read field by field. A deviation from the bank's documentation is `Unreadable`:
 * it ends the part that is being read (read-scope.ts), or the fetch if there is none. `maybe` reads
 * fields that nothing else depends on.
 */
export class RemoteObject {
  private readonly fields: Readonly<Record<string, unknown>>;

  /**
   * @param scope the scope for which a fault of an optional field is noted; without one, it is not
   * noted
   */
  constructor(
    value: unknown,
    private readonly name: string,
    private readonly scope?: ReadScope,
  ) {
    if (!isObject(value))
      throw new Unreadable(name, '', value == null ? 'missing' : 'wrong_type', 'an object');
    this.fields = value;
  }

  /** A field of any type, for the caller to check; undefined = missing. */
  any(field: string): unknown {
    return this.value(field);
  }

  object(field: string): RemoteObject {
    if (!isObject(this.value(field))) throw this.wrong(field, 'an object');
    return new RemoteObject(this.value(field), `${this.name}.${field}`, this.scope);
  }

  objectOrNull(field: string): RemoteObject | null {
    return this.value(field) === null ? null : this.object(field);
  }

  list(field: string, maxLength: number): unknown[] {
    const value = this.value(field);
    if (!Array.isArray(value)) throw this.wrong(field, 'a list');
    if (value.length > maxLength)
      throw this.wrong(field, `a list of at most ${maxLength}`, 'too_long');
    return value;
  }

  /** Reads a field that the source may omit or send as null; null in these cases. */
  optional<T>(field: string, read: (remote: this) => T): T | null {
    return (this.value(field) ?? null) === null ? null : read(this);
  }

  /**
   * Reads a field that nothing else depends on: null if it is missing, or unreadable, which is
   * noted.
   */
  maybe<T>(field: string, read: (remote: this) => T): T | null {
    const { account = null, note = () => undefined } = this.scope ?? {};
    return readPart({ scope: 'value', account, note }, () => this.optional(field, read));
  }

  /** Reads a field like `maybe` that no response should lack: its absence is noted, too. */
  expected<T>(read: (remote: this) => T): T | null {
    const { account = null, note = () => undefined } = this.scope ?? {};
    return readPart({ scope: 'value', account, note }, () => read(this));
  }

  /** The objects of an optional list; unreadable ones are noted and omitted. */
  parts<T>(field: string, max: number, read: (part: RemoteObject) => T): T[] {
    const { account = null, note = () => undefined } = this.scope ?? {};
    const items = this.maybe(field, () => this.list(field, max)) ?? [];
    return readEach(items, { scope: 'value', account, note }, (item) =>
      read(new RemoteObject(item, `${this.name}.${field}`, this.scope)),
    );
  }

  /**
   * Text that people wrote, in a form that can be stored and shown (plain-text.ts); null = there is
   * none.
   */
  plain(field: string, max: number): string | null {
    return this.maybe(field, () => {
      const value = this.value(field);
      if (typeof value !== 'string') throw this.wrong(field, 'text');
      return plainText(value, max);
    });
  }

  text(field: string, { max, pattern }: { max: number; pattern?: RegExp }): string {
    const value = this.value(field);
    if (!isText(value, max) || pattern?.test(value) === false)
      throw this.wrong(field, 'text in the expected form');
    return value;
  }

  /** A currency code. Sources write `usd`, too. */
  currency(field: string): string {
    return this.text(field, { max: 3, pattern: /^[A-Za-z]{3}$/ }).toUpperCase();
  }

  /** Text of any length; null for an empty one. */
  anyText(field: string): string | null {
    return this.value(field) === '' ? null : this.text(field, { max: Infinity });
  }

  textList(field: string, { count, max }: { count: number; max: number }): string[] {
    return this.list(field, count).map((value) => {
      if (!isText(value, max)) throw this.wrong(field, 'a list of texts in the expected form');
      return value;
    });
  }

  boolean(field: string): boolean {
    const value = this.value(field);
    if (typeof value !== 'boolean') throw this.wrong(field, 'true or false');
    return value;
  }

  textOrNull(field: string, form: { max: number; pattern?: RegExp }): string | null {
    return this.value(field) === null ? null : this.text(field, form);
  }

  oneOf<T extends string>(field: string, values: readonly T[]): T {
    const found = values.find((value) => value === this.value(field));
    if (found === undefined) throw this.wrong(field, values.join(' or '));
    return found;
  }

  /** Accepts digits in text, too. */
  wholeNumber(field: string, { max }: { max: number }): number {
    const given = this.value(field);
    const value = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max)
      throw this.wrong(field, 'a whole number');
    return value;
  }

  numberOrNull(field: string): number | null {
    const value = this.value(field);
    if (value === null || typeof value === 'number') return value;
    throw this.wrong(field, 'a number');
  }

  /** Amounts are strings, so that no digit is lost. */
  decimal(field: string): Decimal {
    const value = this.value(field);
    if (typeof value !== 'number')
      return new Decimal(this.text(field, { max: MAX_DECIMAL, pattern: DECIMAL }));
    // Accepts text where it loses nothing: a number has 15 reliable digits.
    const amount = new Decimal(value);
    if (!amount.isFinite() || amount.precision() > 15 || !DECIMAL.test(amount.toFixed()))
      throw this.wrong(field, 'an amount', 'impossible');
    return amount;
  }

  /** An amount whose direction is in another field: a sign on it has no meaning. */
  unsigned(field: string): Decimal {
    return this.decimal(field).abs();
  }

  decimalOrNull(field: string): Decimal | null {
    return this.value(field) === null ? null : this.decimal(field);
  }

  /**
   * An amount sent as a JSON number, in a body read by `readJson`: every digit counts, and a number
   * that cannot be an amount is refused.
   */
  decimalNumber(field: string): Decimal {
    const value = this.value(field);
    const number = isLosslessNumber(value) ? new Decimal(value.value) : null;
    // Avoids writing out 1e400: `e` is the position of the first digit.
    if (number === null || Math.abs(number.e) > 19 || !DECIMAL.test(number.toFixed()))
      throw this.wrong(field, 'an amount');
    return number;
  }

  /**
   * A quantity or a price: text, or a number in a body of either reading, with an exponent or not.
   * Digits beyond the 19th decimal are rounded half to even.
   */
  figure(field: string): Decimal {
    const value = this.value(field);
    const sent = isLosslessNumber(value) ? value.value : value;
    const text = typeof sent === 'number' ? String(sent) : sent;
    if (typeof text !== 'string') throw this.wrong(field, 'a number');
    if (text.length > MAX_FIGURE || !FIGURE.test(text))
      throw this.wrong(field, 'a number', 'impossible');
    const figure = new Decimal(text).toDecimalPlaces(19, Decimal.ROUND_HALF_EVEN);
    // Avoids writing out 1e400: `e` is the position of the first digit.
    if (figure.e > 18) throw this.wrong(field, 'a number of at most 19 digits', 'impossible');
    return figure.isZero() ? new Decimal(0) : figure;
  }

  /** See `realDay`. */
  day(field: string): string {
    const day = realDay(this.text(field, { max: 10 }));
    if (day === null) throw this.wrong(field, 'a date', 'impossible');
    return day;
  }

  /** A time in any form, within the years that account data has. */
  time(field: string): Date {
    const time = new Date(this.text(field, { max: 60 }));
    if (!isRealTime(time)) throw this.wrong(field, 'a time', 'impossible');
    return time;
  }

  localDatetimeOrNull(field: string): string | null {
    return this.textOrNull(field, { max: 23, pattern: LOCAL_DATETIME });
  }

  timestamp(field: string): Date {
    const timestamp = new Date(this.text(field, { max: 40, pattern: /^\d{4}-\d{2}-\d{2}T.+Z$/ }));
    if (!isRealTime(timestamp)) throw this.wrong(field, 'a timestamp', 'impossible');
    return timestamp;
  }

  timestampOrNull(field: string): Date | null {
    return this.value(field) === null ? null : this.timestamp(field);
  }

  /**
   * A missing field is as malformed as one of the wrong type: `undefined` is never a valid value.
   */
  private value(field: string): unknown {
    return Object.hasOwn(this.fields, field) ? this.fields[field] : undefined;
  }

  private wrong(field: string, expected: string, reason?: FaultReason): Unreadable {
    const isMissing = (this.value(field) ?? null) === null;
    return new Unreadable(
      this.name,
      field,
      reason ?? (isMissing ? 'missing' : 'wrong_type'),
      expected,
    );
  }
}
