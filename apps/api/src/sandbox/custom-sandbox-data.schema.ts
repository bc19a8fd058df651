import { z } from 'zod';
import { ACCOUNT_TYPES } from '../../../../domain/accounts/account-types.js';
import { isDay } from '../../../../domain/api/timestamps.js';
import { PHONE_TYPES } from '../../../../domain/accounts/account-owner.js';
import { MAX_ROWS, rowLimits } from '../http/input/input-limits.js';
import { transactionType } from '../openapi/models/transaction.model.js';
import { currencyCode } from '../schemas/currency.schema.js';
import { rows } from '../schemas/rows.schema.js';
import { text } from '../schemas/text.schema.js';
import { detailFields } from '../schemas/transaction-details.schema.js';

const ACCOUNT_NUMBER = 'Must have 1 to 40 letters, digits, spaces or hyphens.';
const MAX_ACCOUNTS = 20;
const NO_SUCH_ACCOUNT = 'There is no account with this index.';
const ABA_WEIGHTS = [3, 7, 1];

const money = z.number().min(-1e12).max(1e12).meta({ format: 'decimal' }).nullish();
const unsignedMoney = z.number().min(0).max(1e12).meta({ format: 'decimal' });
const day = z
  .string()
  .refine((value) => isDay(value.slice(0, 10)), 'Must begin with a date, YYYY-MM-DD.')
  .meta({ openapi: { type: 'string', format: 'date' } });

const localTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d/, 'Must be a local timestamp.');

const account = z
  .object({
    account_type: z.enum(ACCOUNT_TYPES).meta({ id: 'AccountType' }),
    name: text(1, 200),
    account_number: z
      .string()
      .max(40, ACCOUNT_NUMBER)
      .regex(/^[ -]*\w[\w -]*$/, ACCOUNT_NUMBER),
    routing_number: z
      .string()
      .refine(passesAbaCheck, 'Must be nine digits that pass the ABA check.')
      .meta({
        openapi: {
          type: 'string',
          pattern: String.raw`^\d{9}$`,
          description: 'Nine digits that pass the ABA check.',
        },
      })
      .nullish(),
    balances: z
      .object({ currency: currencyCode.optional(), available: money, current: money, limit: money })
      .meta({ id: 'CustomSandboxBalances' })
      .nullish(),
  })
  .meta({ id: 'CustomSandboxAccount' });

const address = z
  .object({
    street: text(1, 200).nullish(),
    city: text(1, 100).nullish(),
    region: text(1, 100).nullish(),
    postal_code: text(1, 20).nullish(),
    country: text(1, 60).nullish(),
    primary: z.boolean().nullish(),
  })
  .meta({ id: 'CustomSandboxAddress' });
const phone = z
  .object({
    number: text(1, 40),
    primary: z.boolean().nullish(),
    type: z.enum(PHONE_TYPES).meta({ id: 'PhoneType' }).nullish(),
  })
  .meta({ id: 'CustomSandboxPhoneNumber' });
const email = z
  .object({ address: text(1, 254), primary: z.boolean().nullish() })
  .meta({ id: 'CustomSandboxEmail' });
const owner = z
  .object({
    names: z.array(text(1, 200)).max(20).nullish(),
    addresses: z.array(address).max(20).nullish(),
    phone_numbers: z.array(phone).max(20).nullish(),
    emails: z.array(email).max(20).nullish(),
  })
  .meta({ id: 'CustomSandboxOwner' });

/** The details of a row that a sandbox bank is to return. */
export const bankDetails = {
  ...detailFields(
    'CustomSandboxOriginalAmount',
    unsignedMoney,
    z.union([localTime, day]).meta({ id: 'DayOrLocalTime' }),
  ),
  bank_transaction_code: text(1, 35).nullish().describe('Of ISO 20022, `PMNT-RCDT-SALA`.'),
};

const transaction = z
  .object({
    account: z
      .number()
      .int()
      .min(0)
      .max(MAX_ACCOUNTS - 1, NO_SUCH_ACCOUNT)
      .describe('Position of one of `accounts`.'),
    date: day,
    amount: unsignedMoney,
    type: transactionType,
    description: text(1, 500).nullish(),
    raw_description: text(1, 500).nullish(),
    pending: z.boolean().nullish(),
    category: text(1, 100).nullish(),
    datetime: localTime.nullish(),
    ...bankDetails,
  })
  .meta({ id: 'CustomSandboxTransaction' });

/** Source: link-lifecycle 13.4. The bank parses it again when the login starts. */
export const customSandboxData = z
  .object({
    accounts: z.array(account).min(1).max(MAX_ACCOUNTS),
    owners: rows(owner, { min: 0, max: 20 }).nullish(),
    transactions: rows(transaction, { min: 0, max: MAX_ROWS }).nullish(),
  })
  .meta({ id: 'CustomSandboxData' })
  .superRefine(({ accounts, transactions }, context) => {
    for (const [index, row] of (transactions ?? []).entries()) {
      if (row.account >= accounts.length)
        context.addIssue({
          code: 'custom',
          path: ['transactions', index, 'account'],
          message: NO_SUCH_ACCOUNT,
        });
    }
  });

/** The check digit of the American Bankers Association. */
function passesAbaCheck(value: string): boolean {
  if (!/^\d{9}$/.test(value)) return false;
  return (
    [...value].reduce(
      (sum, digit, index) => sum + Number(digit) * (ABA_WEIGHTS[index % 3] ?? 0),
      0,
    ) %
      10 ===
    0
  );
}

/** The size limits of a request that may contain such data: a new session, or a Sandbox link. */
export const SESSION_LIMITS = rowLimits({
  products: 100,
  countries: 100,
  providers: 100,
  transactions: MAX_ROWS,
});
