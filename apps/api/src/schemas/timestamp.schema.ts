import { z } from 'zod';
import { isDay } from '../../../../domain/api/timestamps.js';

/** The documentation of `moment`; schemas that pipe into it repeat this. */
export const MOMENT = {
  openapi: {
    type: 'string',
    format: 'date-time',
    description: 'A timestamp of the years 1970 to 9000, in UTC unless it has an offset.',
  },
} as const;

/** A timestamp of a request: ISO 8601, in UTC unless it has an offset. */
export const moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/, {
    error: 'Must be an ISO 8601 timestamp.',
    abort: true,
  })
  .refine(
    (text) => isDay(text.slice(0, 10)),
    'Must be a day of the calendar, of the years 1970 to 9000.',
  )
  .transform(
    (text) =>
      new Date(/(Z|[+-]\d{2}:\d{2})$/.test(text) || !text.includes('T') ? text : `${text}Z`),
  )
  .refine(
    (instant) =>
      !Number.isNaN(instant.getTime()) &&
      instant.getUTCFullYear() >= 1970 &&
      instant.getUTCFullYear() <= 9000,
    'Must be an ISO 8601 timestamp of the years 1970 to 9000.',
  )
  .meta(MOMENT);
