import { z } from 'zod';
import { isDay } from '../../../../domain/api/timestamps.js';
import { customerUser } from './customer-user.schema.js';
import { text } from './text.schema.js';

/** A parameter that must not be repeated. */
export const single = z.string({
  error: (issue) => (Array.isArray(issue.input) ? 'Must be given once.' : undefined),
});

/** Text of 1 to `max` characters, which a row must have. */
export function exactly(max: number) {
  return single
    .pipe(text(1, max))
    .meta({ openapi: { type: 'string', minLength: 1, maxLength: max } })
    .optional();
}

export function oneOf<const Value extends string>(values: readonly Value[], documented: z.ZodType) {
  return single
    .pipe(z.enum(values, `Must be one of ${values.join(', ')}.`))
    .meta({ openapi: documented })
    .optional();
}

/** A `customer_user.id`, which a row must have. */
export const ofUser = single
  .pipe(customerUser.shape.id)
  .meta({
    openapi: {
      type: 'string',
      minLength: 1,
      maxLength: 150,
      description: 'A `customer_user.id`.',
    },
  })
  .optional();

export const sortOrder = single
  .pipe(z.enum(['asc', 'desc'], 'Must be asc or desc.'))
  .meta({ id: 'SortOrder', openapi: { type: 'string', enum: ['asc', 'desc'] } })
  .default('asc')
  .describe('Oldest first, or newest first.');

/** The position at which a list continues. */
export const cursor = single
  .meta({
    openapi: {
      type: 'string',
      description:
        'From an earlier response of the same list; any other text is refused. Empty: from the beginning.',
    },
  })
  .optional();

/**
 * A whole number in decimal digits; values outside the limits are rejected, never clipped
 * (native-api 7).
 * @param documented those of the newest version, where the call itself refuses more
 */
export function wholeNumber({
  min,
  max,
  fallback,
  documented = { max, fallback },
}: {
  min: number;
  max: number;
  fallback: number;
  documented?: { max: number; fallback: number };
}) {
  return single
    .regex(/^-?\d+$/, 'Must be a whole number.')
    .transform(Number)
    .refine(
      (value) => value >= min && value <= max,
      `Must be a whole number from ${min} to ${max}.`,
    )
    .meta({
      openapi: {
        type: 'integer',
        minimum: min,
        maximum: documented.max,
        ...(documented.fallback < min ? {} : { default: documented.fallback }),
      },
    })
    .default(fallback);
}

const MAX_LISTED = 1_000;

/**
 * An array parameter: a repeated name, or comma-separated values (native-api 1). Empty counts as
 * missing.
 */
export const list = z
  .union([z.string(), z.array(z.string())])
  .transform((value) =>
    [value]
      .flat()
      .flatMap((text) => text.split(','))
      .filter((entry) => entry !== ''),
  )
  .refine((values) => values.length <= MAX_LISTED, `Must hold at most ${MAX_LISTED} values.`)
  .transform((values) => (values.length === 0 ? undefined : values))
  .meta({ openapi: { type: 'array', items: { type: 'string' }, maxItems: MAX_LISTED } })
  .optional();

export const day = single
  .refine(isDay, 'Must be a date, YYYY-MM-DD.')
  .meta({ openapi: { type: 'string', format: 'date' } });

export const startDay = day
  .meta({ openapi: { type: 'string', format: 'date', description: 'Not after `end_date`.' } })
  .optional();

export const truth = single
  .pipe(z.enum(['true', 'false'], 'Must be true or false.'))
  .transform((value) => value === 'true')
  .meta({ openapi: { type: 'boolean' } });
