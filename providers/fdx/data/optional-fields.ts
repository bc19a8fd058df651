import type { Decimal } from 'decimal.js';
import { isLosslessNumber } from 'lossless-json';
import { Unreadable } from '../../http/read-scope.js';
import type { RemoteObject } from '../../http/remote-object.js';
import { momentOf } from './moment.js';

const MAX_WORD = 100;

/**
 * Figures of holdings and debts: a JSON number, or digits in a text, such as `digitalUnits` and the
 * rates of some banks. Never `-0`.
 * @throws Unreadable
 */
export function figureOf(remote: RemoteObject, field: string): Decimal {
  const figure = isLosslessNumber(remote.any(field))
    ? remote.decimalNumber(field)
    : remote.decimal(field);
  return figure.isZero() ? figure.abs() : figure;
}

/** Null if it is missing, or unreadable, which is noted. */
export function optionalFigure(remote: RemoteObject, field: string): Decimal | null {
  return remote.maybe(field, (it) => figureOf(it, field));
}

/** A figure that is never negative. */
export function optionalSize(remote: RemoteObject, field: string): Decimal | null {
  return remote.maybe(field, (it) => {
    const figure = figureOf(it, field);
    if (figure.isNegative()) throw new Unreadable('figure', field, 'impossible', 'zero or more');
    return figure;
  });
}

/** The first of several spellings of a figure that can be read. */
export function firstFigure(remote: RemoteObject, ...fields: readonly string[]): Decimal | null {
  for (const field of fields) {
    const figure = optionalFigure(remote, field);
    if (figure !== null) return figure;
  }
  return null;
}

/** A count. */
export function optionalCount(remote: RemoteObject, field: string, max: number): number | null {
  return remote.maybe(field, (it) => {
    const figure = figureOf(it, field);
    if (!figure.isInteger() || figure.isNegative() || figure.gt(max))
      throw new Unreadable('figure', field, 'impossible', 'a count');
    return figure.toNumber();
  });
}

/** A word of an enumeration, or an identifier; an empty text is as good as none. */
export function optionalWord(remote: RemoteObject, field: string, max = MAX_WORD): string | null {
  const word =
    remote.any(field) === '' ? null : remote.maybe(field, (it) => it.text(field, { max }));
  return word?.trim() || null;
}

/** `YYYY-MM-DD` as the bank wrote it. */
export function optionalDay(remote: RemoteObject, field: string): string | null {
  return remote.maybe(field, (it) => momentOf(it, field).day);
}

export function optionalObject(remote: RemoteObject, field: string): RemoteObject | null {
  return remote.maybe(field, (it) => it.object(field));
}
