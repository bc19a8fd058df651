import { z } from 'zod';
import { INTERVALS } from '../../../../../domain/recurring/intervals.js';
import { STREAM_KEYS, STREAM_STATUSES } from '../../../../../domain/recurring/stream.js';
import { accountId, currency, day, idOf, transactionId, unsignedMoney } from './values.model.js';

export const streamStatus = z.enum(STREAM_STATUSES).meta({
  id: 'RecurringStreamStatus',
  description:
    '`mature` = enough payments to rely on, `early` = one less, `ended` = the next date and one more interval have passed.',
});

const amounts = z
  .object({
    last: unsignedMoney.describe('Of the newest payment.'),
    typical: unsignedMoney.describe('The middle one since the last change of price.'),
    min: unsignedMoney.describe('The smallest of all.'),
    max: unsignedMoney.describe('The largest of all.'),
    currency: currency.describe('The currency of all amounts.'),
    changed_on: day
      .nullable()
      .describe(
        'The day of the first payment with the current price; null = it never changed, or the amounts vary.',
      ),
  })
  .meta({ id: 'RecurringAmounts', description: 'What the payments of a stream cost.' });

const next = z
  .object({
    expected: day.describe('The date by the schedule, or that of a pending transaction.'),
    earliest: day.describe('As early as payments have come before their date.'),
    latest: day.describe('As late as payments have come after their date.'),
    amount_min: unsignedMoney.describe('The smallest likely amount.'),
    amount_max: unsignedMoney.describe('The largest likely amount.'),
  })
  .meta({ id: 'NextPayment', description: 'The payment that is expected next.' });

const why = z
  .object({
    key: z
      .enum(STREAM_KEYS)
      .meta({ id: 'RecurringKey', description: 'What its transactions have in common.' })
      .describe('What makes its transactions those of one counterparty.'),
    hits: z.int().describe('Transactions on a date of their own.'),
    gaps: z.int().describe('How often a payment was missed; a pause is one gap.'),
    extras: z.int().describe('Similar transactions between the dates.'),
    chance: z
      .number()
      .min(0)
      .max(0.01)
      .describe('How likely unrelated payments look like this: below 0.01.'),
  })
  .meta({ id: 'RecurringEvidence', description: 'Why transactions count as a stream.' });

/** Source: native-api 4.13. */
export const recurringStream = z
  .object({
    stream_id: idOf('str_')
      .meta({
        id: 'RecurringStreamId',
        description: 'The id of a stream. Opaque and case-sensitive.',
      })
      .describe('Kept while the stream shares transactions with its former self.'),
    account_id: accountId.describe('The account of its transactions.'),
    direction: z.enum(['in', 'out']).meta({
      id: 'RecurringDirection',
      description: '`out` = money leaves the account.',
    }),
    label: z
      .string()
      .nullable()
      .describe('Of the newest transaction: its merchant, else its counterparty, else its text.'),
    interval: z.enum(INTERVALS).meta({
      id: 'RecurringInterval',
      description: '`semi_monthly` = on two days of each month.',
    }),
    amounts,
    first_date: day.describe('Of the oldest transaction.'),
    last_date: day.describe('Of the newest transaction.'),
    status: streamStatus,
    next: next.nullable().describe('Null when the stream has ended.'),
    is_transfer: z.boolean().describe('Another account of the link has the opposite transactions.'),
    transaction_ids: z
      .array(transactionId)
      .max(100)
      .describe('The newest 100 transactions, newest first.'),
    transaction_count: z.int().describe('All transactions of the stream.'),
    why,
  })
  .meta({ id: 'RecurringStream', description: 'Payments of one counterparty that return.' });
