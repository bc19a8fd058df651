import { z } from 'zod';

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/;

/** Source: native-api 1, "Timestamp form in API responses". */
export const timestamp = z
  .string()
  .regex(TIMESTAMP)
  .meta({
    id: 'Timestamp',
    description: 'ISO 8601 in UTC, without offset.',
    examples: ['2026-03-02T10:15:32.418'],
  });
/** Source: webhooks 2.1. */
export const webhookTimestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}\+00:00$/)
  .meta({
    id: 'WebhookTimestamp',
    description: 'ISO 8601 with the offset +00:00.',
    examples: ['2026-03-02T10:15:32.418+00:00'],
  });

export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ id: 'Day', description: 'A day of the calendar.', examples: ['2026-03-02'] });

export const ID_CHARACTERS = '[2-9A-HJ-NP-Za-km-z]{22}';
export const idOf = (prefix: string) => z.string().regex(new RegExp(`^${prefix}${ID_CHARACTERS}$`));
export const linkId = idOf('mk_').meta({
  id: 'LinkId',
  description: 'The identifier used to fetch product data. Opaque and case-sensitive.',
});
export const accountId = idOf('acc_').meta({
  id: 'AccountId',
  description: 'The id of an account. Opaque and case-sensitive.',
});
export const transactionId = idOf('txn_').meta({
  id: 'TransactionId',
  description: 'The id of a transaction, from pending to posted. Opaque and case-sensitive.',
});
export const eventId = idOf('evt_').meta({
  id: 'EventId',
  description: 'The id of an event. Opaque and case-sensitive.',
});
export const deliveryToken = idOf('whd_').meta({
  id: 'DeliveryToken',
  description: 'The value of the header `service-delivery-token`.',
});
export const sessionId = idOf('ses_').meta({
  id: 'SessionId',
  description: 'The id of a link session. Opaque and case-sensitive.',
});
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({
    id: 'Currency',
    description: 'A currency code of three upper-case letters, usually of ISO 4217.',
  });
export const money = z.number().meta({
  id: 'Money',
  format: 'decimal',
  description: 'An exact decimal, written as the shortest JSON number equal to it.',
});
export const unsignedMoney = z.number().min(0).meta({
  id: 'UnsignedMoney',
  format: 'decimal',
  description:
    'An exact decimal that is not negative, written as the shortest JSON number equal to it.',
});
/** Of a year; exact, as money is. */
export const percentage = z.number().meta({
  id: 'Percentage',
  format: 'decimal',
  description: 'Percent a year, such as 6.75; never a fraction.',
});
export const environment = z.enum(['sandbox', 'live']).meta({
  id: 'Environment',
  description: 'Follows from the key pair. `sandbox` holds no real data.',
});
export const nextCursor = z.string().describe('Empty on the last page.');
export const syncCursor = z
  .object({ next: z.string().describe('The cursor of the next call. Never empty.') })
  .meta({ id: 'SyncCursor', description: 'The position after this page.' });
export const pageCursor = z
  .object({ next: z.string().nullable().describe('Null on the last page.') })
  .meta({ id: 'PageCursor' });
