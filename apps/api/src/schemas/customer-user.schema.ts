import { z } from 'zod';
import { text } from './text.schema.js';

const ISO_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;

const timestamp = z
  .string()
  .refine(
    (value) => ISO_TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
    'Must be an ISO 8601 timestamp.',
  )
  .meta({ openapi: { type: 'string', format: 'date-time' } });

/** Source: native-api 4.8. */
export const customerUser = z
  .object({
    id: text(1, 150),
    email: z
      .object({ address: text(4, 254), customer_verified_at: timestamp.nullable().optional() })
      .meta({ id: 'CustomerUserEmail' })
      .optional(),
    phone: z
      .object({
        number: text(4, 30),
        country: text(1, 60).nullable().optional(),
        customer_verified_at: timestamp.nullable().optional(),
      })
      .meta({ id: 'CustomerUserPhone' })
      .optional(),
  })
  .meta({ id: 'CustomerUser' });
