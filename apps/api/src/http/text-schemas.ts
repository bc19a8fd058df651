import { z } from 'zod';

/** Text PostgreSQL can store: no U+0000, no half of a surrogate pair. */
export const storable = (value: string): boolean => !/[\u0000\p{Cs}]/u.test(value);

/** Text of `least` to `most` characters (code points, not UTF-16 units). */
export function text(least: number, most: number) {
  return z.string().superRefine((value, context) => {
    const length = [...value].length;
    if (length < least) context.addIssue({ code: 'custom', message: least === 1 ? 'Must not be empty.' : `Must have at least ${least} characters.`, params: { least } });
    else if (length > most) context.addIssue({ code: 'custom', message: `Must have at most ${most} characters.`, params: { most } });
    else if (!storable(value)) context.addIssue({ code: 'custom', message: 'Holds a character that is not allowed.' });
  }).meta({ openapi: { type: 'string', minLength: least, maxLength: most } });
}
