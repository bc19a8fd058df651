import { z } from 'zod';
import { isRoutingNumber } from '../../../sandbox/custom-sandbox-data.schema.js';
import { currencyCode } from '../../../schemas/currency.schema.js';
import { isLongerThan, text } from '../../../schemas/text.schema.js';
import { overrideHolding, overrideTrade } from './override-investments.schema.js';
import { accountTypeOf, OVERRIDE_TYPES } from './override-account-type.js';
import {
  overrideDay,
  overrideMoney,
  overridePercentage,
  unsignedMoney,
} from './override-values.schema.js';

const ACCOUNT_NUMBER = 'Must have 1 to 40 letters, digits, spaces or hyphens.';

const transaction = z.object({
  date_transacted: overrideDay,
  date_posted: overrideDay,
  amount: overrideMoney,
  description: text(1, 500),
  currency: currencyCode.optional(),
});
export type OverrideTransaction = z.output<typeof transaction>;

/** An empty text means that the part is unknown. */
const part = (max: number) =>
  z
    .string()
    .refine((value) => !isLongerThan(value, max), `Must have at most ${max} characters.`)
    .transform((value) => (value === '' ? undefined : value))
    .optional();
const primary = z.boolean().optional();
const few = <Form extends z.ZodType>(form: Form) => z.array(form).max(20).default([]);

const identity = z.object({
  names: few(text(1, 200)),
  phone_numbers: few(z.object({ data: text(1, 40), primary, type: z.string().max(40).optional() })),
  emails: few(z.object({ data: text(1, 254), primary })),
  addresses: few(
    z.object({
      data: z.object({
        street: part(200),
        city: part(100),
        region: part(100),
        postal_code: part(20),
        country: part(60),
      }),
      primary,
    }),
  ),
});
export type OverrideIdentity = z.output<typeof identity>;

const liability = z.object({
  type: z.enum(['credit', 'student']),
  purchase_apr: overridePercentage.optional(),
  cash_apr: overridePercentage.optional(),
  balance_transfer_apr: overridePercentage.optional(),
  special_apr: overridePercentage.optional(),
  last_payment_amount: unsignedMoney.optional(),
  minimum_payment_amount: unsignedMoney.optional(),
  is_overdue: z.boolean().optional(),
  origination_date: overrideDay.optional(),
  principal: unsignedMoney.optional(),
  nominal_apr: overridePercentage.optional(),
  expected_payoff_date: overrideDay.optional(),
  repayment_model: z
    .object({ repayment_months: z.number().int().min(0).max(10_000).optional() })
    .optional(),
});
export type OverrideLiability = z.output<typeof liability>;

/** Plaid's types state one row where its examples have a list. */
const listOf = (given: unknown): unknown =>
  given === undefined || Array.isArray(given) ? given : [given];

/** Plaid's types put the rows into a member of the same name. */
const unwrapped = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && 'investment_transactions' in given
    ? given.investment_transactions
    : given;

/** An account of Plaid's custom user. The bounds of its lists are those of `custom_sandbox_data`. */
export const overrideAccount = z
  .object({
    type: z.enum(OVERRIDE_TYPES),
    subtype: z.string().optional(),
    starting_balance: overrideMoney.optional(),
    force_available_balance: overrideMoney.optional(),
    has_null_available_balance: z.boolean().optional(),
    currency: currencyCode.default('USD'),
    meta: z
      .object({
        name: text(1, 200).optional(),
        limit: overrideMoney.optional(),
        mask: z
          .string()
          .regex(/^([A-Za-z0-9]{2,4})?$/, 'Must be empty or have 2 to 4 letters or digits.')
          .optional(),
      })
      .prefault({}),
    numbers: z
      .object({
        account: z
          .string()
          .max(40, ACCOUNT_NUMBER)
          .regex(/^[ -]*\w[\w -]*$/, ACCOUNT_NUMBER)
          .optional(),
        international_iban: z
          .string()
          .max(40, ACCOUNT_NUMBER)
          .regex(/^[ -]*\w[\w -]*$/, ACCOUNT_NUMBER)
          .optional(),
        ach_routing: z
          .string()
          .refine(isRoutingNumber, 'Must be nine digits that pass the ABA check.')
          .optional(),
      })
      .prefault({}),
    transactions: z.array(transaction).default([]),
    holdings: z.preprocess(listOf, z.array(overrideHolding).optional()),
    investment_transactions: z.preprocess(
      (given) => listOf(unwrapped(given)),
      z.array(overrideTrade).optional(),
    ),
    identity: identity.optional(),
    liability: liability.optional(),
  })
  .superRefine((account, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const { numbers, meta } = account;
    const type = accountTypeOf(account.type, account.subtype);
    if (type === null) {
      refuse(['subtype'], `Must be a subtype of ${account.type}.`);
      return;
    }
    if (
      account.has_null_available_balance === true &&
      account.force_available_balance !== undefined
    )
      refuse(['has_null_available_balance'], 'Must not be set with force_available_balance.');
    const number = numbers.account ?? numbers.international_iban;
    const isEnd = number === undefined || number.replaceAll(/\W/g, '').slice(-4) === meta.mask;
    if ((meta.mask ?? '') !== '' && !isEnd)
      refuse(['meta', 'mask'], 'Must be the last four characters of the account number.');
    for (const [place, { currency }] of account.transactions.entries())
      if (currency !== undefined && currency !== account.currency)
        refuse(['transactions', place, 'currency'], 'Must be the currency of the account.');
    for (const rows of ['holdings', 'investment_transactions'] as const)
      if ((account[rows] ?? []).length > 0 && account.type !== 'investment')
        refuse([rows], 'The account is not an investment account.');
    const debt = account.liability?.type;
    if (debt === 'credit' && type !== 'liability.credit_card')
      refuse(['liability', 'type'], 'The account is not a credit card.');
    if (debt === 'student' && type !== 'liability.student_loan')
      refuse(['liability', 'type'], 'The account is not a student loan.');
  });
export type OverrideAccount = z.output<typeof overrideAccount>;
