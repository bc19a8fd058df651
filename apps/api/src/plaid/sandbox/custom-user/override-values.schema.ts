import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { isDay } from '../../../../../../domain/api/timestamps.js';

/** Two digits fewer than the bank takes, for those of a change of units. */
const FIGURE = /^-?\d{1,16}(\.\d{1,17})?$/;

export const overrideDay = z.string().refine(isDay, 'Must be a date, YYYY-MM-DD.');
export const overrideMoney = z.number().min(-1e12).max(1e12);
export const unsignedMoney = z.number().min(0).max(1e12);
export const overridePercentage = z.number().min(0).max(100);
/** A number as the sandbox bank writes quantities and prices. */
export const overrideFigure = z
  .number()
  .min(-1e15)
  .max(1e15)
  .refine(
    (value) => FIGURE.test(new Decimal(value).toFixed()),
    'Must have at most 17 digits after the point.',
  );
export const unsignedFigure = overrideFigure.min(0);
