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
    id: text(1, 150).describe('The id of the user in your app.'),
    email: z
      .object({
        address: text(4, 254).describe('The address.'),
        customer_verified_at: timestamp
          .nullable()
          .optional()
          .describe('When your app verified it; null = it did not.'),
      })
      .meta({ id: 'CustomerUserEmail', description: 'The e-mail address of a user.' })
      .optional()
      .describe('The e-mail address of the user.'),
    phone: z
      .object({
        number: text(4, 30).describe('The number, best as E.164.'),
        country: text(1, 60).nullable().optional().describe('Its country.'),
        customer_verified_at: timestamp
          .nullable()
          .optional()
          .describe('When your app verified it; null = it did not.'),
      })
      .meta({ id: 'CustomerUserPhone', description: 'The telephone number of a user.' })
      .optional()
      .describe('The telephone number of the user.'),
  })
  .meta({ id: 'CustomerUser', description: 'A user of your app.' });
