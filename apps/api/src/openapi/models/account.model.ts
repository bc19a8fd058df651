import { z } from 'zod';
import { PHONE_TYPES } from '../../../../../domain/accounts/account-owner.js';
import { ACCOUNT_TYPES } from '../../../../../domain/accounts/account-types.js';
import { accountId, currency, day, money, timestamp } from './values.model.js';

const balanceFields = {
  currency: currency.describe('The currency of the amounts.'),
  available: money
    .nullable()
    .describe(
      'The amount that can be spent now; of a card, about the limit without the debt. Null = unknown.',
    ),
  current: money
    .nullable()
    .describe('The booked balance; negative for an overdraft. Null = unknown.'),
  limit: money.nullable().describe('The credit limit or the permitted overdraft. Null = unknown.'),
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
  account_type: z.enum(ACCOUNT_TYPES).meta({
    id: 'AccountType',
    description:
      'A kind and a type, such as `depository.checking`. Treat an unknown type by its first part.',
  }),
  name: z.string().describe('As the institution or its customer named it.'),
  nickname: z.string().nullable().describe('The name that its customer gave it.'),
  account_mask: z
    .string()
    .nullable()
    .describe('Trailing digits of the account number; may repeat.'),
  closed: z.boolean().describe('No longer open, or no longer shared by the user.'),
  missing_since: timestamp
    .nullable()
    .describe('Since when the institution no longer lists it; null = it does.'),
  original_id: z.string().nullable().describe('The id given at import.'),
  balances,
});
export const account = fields.meta({
  id: 'Account',
  description: 'An account that the user shared.',
});

/** Source: native-api 4.5. */
const numbers = z
  .object({
    ach: z
      .array(
        z
          .object({
            account_number: z.string().describe('The number of the account.'),
            routing_number: z.string().describe('The routing number for ACH transfers.'),
            wire_routing_number: z
              .string()
              .nullable()
              .describe('The routing number for wires, where it differs or is known.'),
          })
          .meta({
            id: 'AchAccountNumber',
            description: 'Numbers for transfers in the United States.',
          }),
      )
      .describe('Numbers for transfers in the United States.'),
    eft: z
      .array(
        z
          .object({
            account_number: z.string().describe('The number of the account.'),
            institution_number: z.string().describe('The three digits of the institution.'),
            branch_number: z
              .string()
              .describe('The five digits of the branch, the transit number.'),
          })
          .meta({ id: 'EftAccountNumber', description: 'Numbers for transfers in Canada.' }),
      )
      .describe('Numbers for transfers in Canada.'),
    bacs: z
      .array(
        z
          .object({
            account_number: z.string().describe('The number of the account.'),
            sort_code: z.string().describe('The sort code of the branch.'),
          })
          .meta({
            id: 'BacsAccountNumber',
            description: 'Numbers for transfers in the United Kingdom.',
          }),
      )
      .describe('Numbers for transfers in the United Kingdom.'),
    international: z
      .array(
        z
          .object({
            iban: z.string().describe('The international bank account number.'),
            bic: z.string().describe('The business identifier code of the bank.'),
          })
          .meta({
            id: 'InternationalAccountNumber',
            description: 'An international number of an account.',
          }),
      )
      .describe('International numbers.'),
  })
  .meta({
    id: 'AccountNumbers',
    description:
      'The numbers of an account, by the scheme that uses them. A list is empty where there are none.',
  });
export const accountWithNumbers = fields
  .extend({ numbers })
  .meta({ id: 'AccountWithNumbers', description: 'An account and its numbers.' });

/** Source: native-api 4.4. */
const address = z
  .object({
    street: z.string().nullable().describe('Street and house number.'),
    city: z.string().nullable().describe('The city.'),
    region: z.string().nullable().describe('The state, province or region.'),
    postal_code: z.string().nullable().describe('The postal code.'),
    country: z
      .string()
      .nullable()
      .describe('As the institution writes it, usually a code of ISO 3166-1.'),
    primary: z.boolean().describe('The main one.'),
  })
  .meta({ id: 'OwnerAddress', description: 'A postal address of an owner.' });
const owner = z
  .object({
    names: z.array(z.string()).describe('The names of this owner.'),
    addresses: z.array(address).describe('The postal addresses of this owner.'),
    phone_numbers: z
      .array(
        z
          .object({
            number: z.string().describe('In international format where known.'),
            type: z
              .enum(PHONE_TYPES)
              .meta({ id: 'PhoneType', description: 'The use of a telephone number.' }),
            primary: z.boolean().describe('The main one.'),
          })
          .meta({ id: 'OwnerPhoneNumber', description: 'A telephone number of an owner.' }),
      )
      .describe('The telephone numbers of this owner.'),
    emails: z
      .array(
        z
          .object({
            address: z.string().describe('The e-mail address.'),
            primary: z.boolean().describe('The main one.'),
          })
          .meta({ id: 'OwnerEmail', description: 'An e-mail address of an owner.' }),
      )
      .describe('The e-mail addresses of this owner.'),
  })
  .meta({
    id: 'Owner',
    description: 'Lists that the institution does not provide are empty; this is not an error.',
  });
export const accountWithOwners = fields
  .extend({ owners: z.array(owner) })
  .meta({ id: 'AccountWithOwners', description: 'An account and its owners.' });

/** The model of an export, with all stored data. */
export const exportedAccount = fields
  .extend({
    owners: z.array(owner).optional().describe('Absent without the scope `identity:read`.'),
    numbers: numbers.nullable().optional().describe('Absent without the scope `numbers:read`.'),
    balance_history: z
      .array(dayBalances)
      .describe('One entry for each day with other balances, oldest first.'),
  })
  .meta({ id: 'ExportedAccount', description: 'An account with everything that is stored of it.' });
