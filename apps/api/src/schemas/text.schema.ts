import { z } from 'zod';

/**
 * Text PostgreSQL can store: no U+0000, no lone surrogates. `inspectInput` checks every request for
 * it.
 */
export const storable = (value: string): boolean => !/[\u0000\p{Cs}]/u.test(value);

export const UNSTORABLE = 'Contains a character that is not allowed.';

/** Returns whether a text has more than `most` characters (code points, not UTF-16 units). */
export function isLongerThan(value: string, max: number): boolean {
  return value.length > max && countCharacters(value, max) > max;
}

/** Stops counting one past `most`. */
function countCharacters(value: string, max: number): number {
  let count = 0;
  for (const _ of value) {
    count += 1;
    if (count > max) break;
  }
  return count;
}

/** Text of `min` to `max` characters. */
export function text(min: number, max: number) {
  return z
    .string()
    .superRefine((value, context) => {
      if (countCharacters(value, min) < min)
        context.addIssue({
          code: 'custom',
          message: min === 1 ? 'Must not be empty.' : `Must have at least ${min} characters.`,
          params: { min },
        });
      else if (isLongerThan(value, max))
        context.addIssue({
          code: 'custom',
          message: `Must have at most ${max} characters.`,
          params: { max },
        });
    })
    .meta({ openapi: { type: 'string', minLength: min, maxLength: max } });
}
