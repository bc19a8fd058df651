import { z } from 'zod';
import { ACCOUNT_TYPES, type AccountType } from '../../../../domain/accounts/account-types.js';
import { isDay } from '../../../../domain/api/timestamps.js';
import { liabilityKindOf } from '../../../../domain/liabilities/liability-kind.js';
import { PHONE_TYPES } from '../../../../domain/accounts/account-owner.js';
import { MAX_ROWS, rowLimits } from '../http/input/input-limits.js';
import { transactionType } from '../openapi/models/transaction.model.js';
import { currencyCode } from '../schemas/currency.schema.js';
import { rows } from '../schemas/rows.schema.js';
import { text } from '../schemas/text.schema.js';
import { detailFields } from '../schemas/transaction-details.schema.js';
import {
  customHolding,
  customInvestmentTransaction,
  customLiability,
} from './custom-portfolio.schema.js';

const ACCOUNT_NUMBER = 'Must have 1 to 40 letters, digits, spaces or hyphens.';
export const MAX_ACCOUNTS = 20;
export const MAX_HOLDINGS = 1_000;
const NO_SUCH_ACCOUNT = 'There is no account with this index.';
const NO_INVESTMENT_ACCOUNT = 'The account is not an investment account.';
const NO_DEBT = 'The account is not a credit card, a credit line or a loan.';
const SECOND_DEBT = 'The account has another debt in this list.';
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
    account_type: z
      .enum(ACCOUNT_TYPES)
      .meta({
        id: 'AccountType',
        description:
          'A kind and a type, such as `depository.checking`. Treat an unknown type by its first part.',
      })
      .describe('A kind and a type, such as `depository.checking`.'),
    name: text(1, 200).describe('The name of the account.'),
    account_number: z
      .string()
      .max(40, ACCOUNT_NUMBER)
      .regex(/^[ -]*\w[\w -]*$/, ACCOUNT_NUMBER)
      .describe('The number of the account.'),
    routing_number: z
      .string()
      .refine(isRoutingNumber, 'Must be nine digits that pass the ABA check.')
      .meta({
        openapi: {
          type: 'string',
          pattern: String.raw`^\d{9}$`,
          description: 'Nine digits that pass the ABA check.',
        },
      })
      .nullish(),
    balances: z
      .object({
        currency: currencyCode.optional().describe('The currency of the account; missing = USD.'),
        available: money.describe('What can be spent.'),
        current: money.describe('The booked balance.'),
        limit: money.describe('The limit of the account.'),
      })
      .meta({ id: 'CustomSandboxBalances', description: 'The balances of an account.' })
      .nullish()
      .describe('The balances; missing = as the transactions make them.'),
  })
  .meta({ id: 'CustomSandboxAccount', description: 'An account of the sandbox bank.' });

const address = z
  .object({
    street: text(1, 200).nullish().describe('Street and house number.'),
    city: text(1, 100).nullish().describe('The city.'),
    region: text(1, 100).nullish().describe('The state, province or region.'),
    postal_code: text(1, 20).nullish().describe('The postal code.'),
    country: text(1, 60).nullish().describe('The country.'),
    primary: z.boolean().nullish().describe('The main one.'),
  })
  .meta({ id: 'CustomSandboxAddress', description: 'A postal address.' });
const phone = z
  .object({
    number: text(1, 40).describe('The number.'),
    primary: z.boolean().nullish().describe('The main one.'),
    type: z
      .enum(PHONE_TYPES)
      .meta({ id: 'PhoneType', description: 'The use of a telephone number.' })
      .nullish()
      .describe('Its use.'),
  })
  .meta({ id: 'CustomSandboxPhoneNumber', description: 'A telephone number.' });
const email = z
  .object({
    address: text(1, 254).describe('The address.'),
    primary: z.boolean().nullish().describe('The main one.'),
  })
  .meta({ id: 'CustomSandboxEmail', description: 'An e-mail address.' });
const owner = z
  .object({
    names: z.array(text(1, 200)).max(20).nullish().describe('The names of the owner.'),
    addresses: z.array(address).max(20).nullish().describe('The postal addresses.'),
    phone_numbers: z.array(phone).max(20).nullish().describe('The telephone numbers.'),
    emails: z.array(email).max(20).nullish().describe('The e-mail addresses.'),
  })
  .meta({ id: 'CustomSandboxOwner', description: 'An owner of all accounts.' });

/** The details of a row that a sandbox bank is to return. */
export const bankDetails = {
  ...detailFields(
    'CustomSandboxOriginalAmount',
    unsignedMoney,
    z.union([localTime, day], 'Must be a date or a local timestamp.').meta({
      id: 'DayOrLocalTime',
      openapi: {
        type: 'string',
        description: 'A date or a local timestamp.',
        examples: ['2026-03-02', '2026-03-02T10:15:32'],
      },
    }),
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
    date: day.describe('The day of the row.'),
    amount: unsignedMoney.describe('The amount, without a sign.'),
    type: transactionType.describe('Money out, or in.'),
    description: text(1, 500).nullish().describe('The cleaned text.'),
    raw_description: text(1, 500).nullish().describe('The text of the bank.'),
    pending: z.boolean().nullish().describe('It is not posted yet.'),
    category: text(1, 100).nullish().describe('The category that the bank names.'),
    datetime: localTime.nullish().describe('The local time, where the bank names one.'),
    ...bankDetails,
  })
  .meta({ id: 'CustomSandboxTransaction', description: 'A row of the sandbox bank.' });

/** Source: link-lifecycle 13.4. The bank parses it again when the login starts. */
export const customSandboxData = z
  .object({
    accounts: z.array(account).min(1).max(MAX_ACCOUNTS).describe('The accounts.'),
    owners: rows(owner, { min: 0, max: 20 }).nullish().describe('The owners of all accounts.'),
    transactions: rows(transaction, { min: 0, max: MAX_ROWS })
      .nullish()
      .describe('The rows of all accounts.'),
    holdings: rows(customHolding, { min: 0, max: MAX_HOLDINGS })
      .nullish()
      .describe('The holdings of all investment accounts.'),
    investment_transactions: rows(customInvestmentTransaction, { min: 0, max: MAX_ROWS })
      .nullish()
      .describe('The movements of all investment accounts.'),
    liabilities: rows(customLiability, { min: 0, max: MAX_ACCOUNTS })
      .nullish()
      .describe('The debts, at most one of each account.'),
  })
  .meta({ id: 'CustomSandboxData', description: 'Data for a sandbox bank.' })
  .superRefine(({ accounts, ...parts }, context) => {
    const check = (
      part: keyof typeof parts,
      problemOf: (type: AccountType, index: number) => string | null,
    ) => {
      for (const [place, row] of (parts[part] ?? []).entries()) {
        if (!('account' in row)) continue;
        const type = accounts[row.account]?.account_type;
        const message = type === undefined ? NO_SUCH_ACCOUNT : problemOf(type, row.account);
        if (message !== null)
          context.addIssue({ code: 'custom', path: [part, place, 'account'], message });
      }
    };
    const notInvested = (type: AccountType) =>
      type.startsWith('investment.') ? null : NO_INVESTMENT_ACCOUNT;
    const seen = new Set<number>();
    check('transactions', () => null);
    check('holdings', notInvested);
    check('investment_transactions', notInvested);
    check('liabilities', (type, account) => {
      if (liabilityKindOf(type) === null) return NO_DEBT;
      if (seen.has(account)) return SECOND_DEBT;
      seen.add(account);
      return null;
    });
  });

/** The check digit of the American Bankers Association. */
export function isRoutingNumber(value: string): boolean {
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

export type SandboxData = z.output<typeof customSandboxData>;

/** The size limits of a request that may contain such data: a new session, or a Sandbox link. */
export const SESSION_LIMITS = rowLimits({
  products: 100,
  countries: 100,
  providers: 100,
  transactions: MAX_ROWS,
  investment_transactions: MAX_ROWS,
});
