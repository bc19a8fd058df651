import { Decimal } from 'decimal.js';
import { z } from 'zod';

export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}/)
  .transform((value) => value.slice(0, 10))
  .refine(isRealDay);
export const localTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d/)
  .transform(
    (value) => `${value.slice(0, 19)}.${(/\.(\d{1,3})/.exec(value)?.[1] ?? '').padEnd(3, '0')}`,
  );
/** Amounts arrive as numbers and are kept as exact decimals. */
export const money = z
  .number()
  .min(-1e12)
  .max(1e12)
  .transform((value) => new Decimal(value).toDecimalPlaces(8).toFixed());

function isRealDay(value: string): boolean {
  const moment = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value);
}

/** PostgreSQL cannot store U+0000, and an unpaired surrogate would change on its way there. */
const isStorable = (value: string): boolean =>
  !value.includes('\u0000') && Buffer.from(value).toString() === value;

/** Text of `min` to `max` characters that can be stored as it is. */
export const storableText = (max: number, min = 1) =>
  z.string().min(min).max(max).refine(isStorable);
