import { z } from 'zod';

/**
 * Text PostgreSQL can store: no U+0000, no lone surrogates. `inspectInput` checks every request for
 * it.
 */
export const storable = (value: string): boolean => !/[\u0000\p{Cs}]/u.test(value);

export const UNSTORABLE = 'Holds a character that is not allowed.';

/** Whether a text has more than `most` characters (code points, not UTF-16 units). */
export function isLongerThan(value: string, most: number): boolean {
  return value.length > most && countCharacters(value, most) > most;
}

/** Stops counting one past `most`. */
function countCharacters(value: string, most: number): number {
  let count = 0;
  for (const _ of value) {
    count += 1;
    if (count > most) break;
  }
  return count;
}

/** Text of `least` to `most` characters. */
export function text(least: number, most: number) {
  return z
    .string()
    .superRefine((value, context) => {
      if (countCharacters(value, least) < least)
        context.addIssue({
          code: 'custom',
          message: least === 1 ? 'Must not be empty.' : `Must have at least ${least} characters.`,
          params: { least },
        });
      else if (isLongerThan(value, most))
        context.addIssue({
          code: 'custom',
          message: `Must have at most ${most} characters.`,
          params: { most },
        });
    })
    .meta({ openapi: { type: 'string', minLength: least, maxLength: most } });
}
