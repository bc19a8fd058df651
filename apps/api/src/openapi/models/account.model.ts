import { z } from 'zod';
import { PHONE_TYPES } from '../../../../../domain/accounts/account-owner.js';
import { ACCOUNT_TYPES } from '../../../../../domain/accounts/account-types.js';
import { accountId, currency, day, money, timestamp } from './values.model.js';

const balanceFields = {
  currency,
  available: money.nullable(),
  current: money.nullable(),
  limit: money.nullable(),
  balance_date: timestamp.nullable().describe('The time of the balance.'),
};
const AMOUNT_OWED = 'On `liability.*` accounts `current` is the amount owed, as a positive number.';
const balances = z.object(balanceFields).meta({ id: 'Balances', description: AMOUNT_OWED });
/** Source: native-api 4.3. */
export const dayBalances = z
  .object({
    date: day.describe('The day of the change, by the clock of the world of the link.'),
    ...balanceFields,
  })
  .meta({ id: 'DayBalances', description: AMOUNT_OWED });

/** Source: native-api 4.3. */
const fields = z.object({
  account_id: accountId,
  account_type: z.enum(ACCOUNT_TYPES).meta({ id: 'AccountType' }),
  name: z.string(),
  nickname: z.string().nullable(),
  account_mask: z
    .string()
    .nullable()
    .describe('Trailing digits of the account number; may repeat.'),
  closed: z.boolean(),
  missing_since: timestamp
    .nullable()
    .describe('Since when the institution no longer lists it; null = it does.'),
  original_id: z.string().nullable().describe('The id given at import.'),
  balances,
});
export const account = fields.meta({ id: 'Account' });

/** Source: native-api 4.5. */
const numbers = z
  .object({
    ach: z.array(
      z
        .object({
          account_number: z.string(),
          routing_number: z.string(),
          wire_routing_number: z.string().nullable(),
        })
        .meta({ id: 'AchAccountNumber' }),
    ),
    eft: z.array(
      z
        .object({
          account_number: z.string(),
          institution_number: z.string(),
          branch_number: z.string(),
        })
        .meta({ id: 'EftAccountNumber' }),
    ),
    bacs: z.array(
      z
        .object({ account_number: z.string(), sort_code: z.string() })
        .meta({ id: 'BacsAccountNumber' }),
    ),
    international: z.array(
      z.object({ iban: z.string(), bic: z.string() }).meta({ id: 'InternationalAccountNumber' }),
    ),
  })
  .meta({ id: 'AccountNumbers' });
export const accountWithNumbers = fields.extend({ numbers }).meta({ id: 'AccountWithNumbers' });

/** Source: native-api 4.4. */
const address = z
  .object({
    street: z.string().nullable(),
    city: z.string().nullable(),
    region: z.string().nullable(),
    postal_code: z.string().nullable(),
    country: z.string().nullable(),
    primary: z.boolean(),
  })
  .meta({ id: 'OwnerAddress' });
const owner = z
  .object({
    names: z.array(z.string()),
    addresses: z.array(address),
    phone_numbers: z.array(
      z
        .object({
          number: z.string().describe('In international format where known.'),
          type: z.enum(PHONE_TYPES).meta({ id: 'PhoneType' }),
          primary: z.boolean(),
        })
        .meta({ id: 'OwnerPhoneNumber' }),
    ),
    emails: z.array(
      z.object({ address: z.string(), primary: z.boolean() }).meta({ id: 'OwnerEmail' }),
    ),
  })
  .meta({
    id: 'Owner',
    description: 'Lists that the institution does not provide are empty; this is not an error.',
  });
export const accountWithOwners = fields
  .extend({ owners: z.array(owner) })
  .meta({ id: 'AccountWithOwners' });

/** The model of an export, with all stored data. */
export const exportedAccount = fields
  .extend({
    owners: z.array(owner).optional().describe('Absent without the scope `identity:read`.'),
    numbers: numbers.nullable().optional().describe('Absent without the scope `numbers:read`.'),
    balance_history: z.array(dayBalances),
  })
  .meta({ id: 'ExportedAccount' });
