import { z } from 'zod';

/** PostgreSQL cannot store U+0000, and an unpaired surrogate would change on its way there. */
const isStorable = (value: string): boolean =>
  !value.includes('\u0000') && Buffer.from(value).toString() === value;

/** Text of `min` to `max` characters that can be stored as it is. */
export const storableText = (max: number, min = 1) =>
  z.string().min(min).max(max).refine(isStorable);
