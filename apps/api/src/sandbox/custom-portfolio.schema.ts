import { z } from 'zod';
import { isDay } from '../../../../domain/api/timestamps.js';
import { INVESTMENT_TRANSACTION_TYPES } from '../../../../domain/investments/investment-transaction-types.js';
import { LIABILITY_RATE_KINDS } from '../../../../domain/liabilities/liability.js';
import {
  isCusip,
  isFigi,
  isIsin,
  isSedol,
} from '../../../../domain/investments/security-identifiers.js';
import { text } from '../schemas/text.schema.js';
import { currencyCode } from '../schemas/currency.schema.js';

const MAX_LOTS = 100;
const MAX_RATES = 20;
/** The types for which the sandbox bank has a word. */
const SECURITY_TYPES = [
  'cash',
  'cryptocurrency',
  'derivative',
  'equity',
  'etf',
  'fixed_income',
  'mutual_fund',
] as const;

const money = z.number().min(-1e12).max(1e12).meta({ format: 'decimal' }).nullish();
const unsignedMoney = z.number().min(0).max(1e12).meta({ format: 'decimal' }).nullish();
const percentage = z.number().min(0).max(100).meta({ format: 'decimal' });
const figure = z.string().regex(/^-?\d{1,19}(\.\d{1,19})?$/, 'Must be a decimal in text.');
const unsigned = z
  .string()
  .regex(/^\d{1,19}(\.\d{1,19})?$/, 'Must be a decimal in text, not negative.');
const day = z
  .string()
  .refine(isDay, 'Must be a date, YYYY-MM-DD.')
  .meta({ openapi: { type: 'string', format: 'date' } });
const count = z.number().int().min(0).max(10_000).nullish();

/** The index of an account; `custom-sandbox-data.schema.ts` checks which account it is. */
const account = z.number().int().min(0).describe('Position of one of `accounts`.');

const identifier = (name: string, isValid: (value: string) => boolean) =>
  z
    .string()
    .refine(isValid, `Must be a valid ${name}, with its check digit.`)
    .meta({ openapi: { type: 'string' } })
    .nullish()
    .describe(`The ${name}, with its check digit.`);

const security = z
  .object({
    name: text(1, 200).nullish().describe('The name.'),
    symbol: text(1, 40).nullish().describe('The symbol.'),
    exchange: z
      .string()
      .regex(/^[A-Z0-9]{4}$/, 'Must be a market identifier code.')
      .nullish()
      .describe('The exchange, ISO 10383.'),
    isin: identifier('ISIN', isIsin),
    cusip: identifier('CUSIP', isCusip),
    sedol: identifier('SEDOL', isSedol),
    figi: identifier('FIGI', isFigi),
    type: z
      .enum(SECURITY_TYPES)
      .meta({ id: 'CustomSandboxSecurityType', description: 'The type of a security.' })
      .nullish()
      .describe('The type.'),
    currency: currencyCode.nullish().describe('Of its quotes; missing = that of the account.'),
    is_cash_equivalent: z.boolean().nullish().describe('It is as good as money.'),
    option: z
      .object({
        underlying_symbol: text(1, 40).describe('The symbol of the underlying security.'),
        kind: z
          .enum(['put', 'call'])
          .meta({ id: 'CustomSandboxOptionKind', description: 'The right of an option.' })
          .describe('The right it gives.'),
        expires_on: day.describe('The last day.'),
        strike_price: unsigned.describe('The price at which it is exercised.'),
        contract_size: unsigned.nullish().describe('The units of one contract.'),
      })
      .meta({ id: 'CustomSandboxOption', description: 'The terms of an option.' })
      .nullish()
      .describe('The terms of an option.'),
    fixed_income: z
      .object({
        face_value: unsigned.nullish().describe('The face value of one unit.'),
        coupon_rate: unsigned.nullish().describe('Percent a year.'),
        yield_to_maturity: figure.nullish().describe('Percent a year.'),
        matures_on: day.nullish().describe('The day of repayment.'),
        issued_on: day.nullish().describe('The day of issue.'),
      })
      .meta({ id: 'CustomSandboxFixedIncome', description: 'The terms of a bond.' })
      .nullish()
      .describe('The terms of a bond.'),
  })
  .meta({ id: 'CustomSandboxSecurity', description: 'A security; all it leaves out is unknown.' });

const lot = z
  .object({
    acquired_on: day.nullish().describe('The day of the purchase.'),
    quantity: figure.describe('The units.'),
    price_paid: unsigned.nullish().describe('The price of a unit.'),
    cost_basis: money.describe('The total paid.'),
    value: money.describe('The value; missing = quantity × price.'),
  })
  .meta({ id: 'CustomSandboxLot', description: 'A lot of a holding.' });

export const customHolding = z
  .object({
    account,
    security: security.describe('The security.'),
    quantity: figure.describe('The units; negative = short.'),
    price: unsigned.nullish().describe('The price of a unit.'),
    price_as_of: day.nullish().describe('The day of the price.'),
    value: money.describe('The value; missing = as quantity and price make it.'),
    currency: currencyCode.nullish().describe('Missing = that of the account.'),
    cost_basis: money.describe('The total paid for what is held.'),
    lots: z.array(lot).max(MAX_LOTS).nullish().describe('The lots.'),
    vested_quantity: unsigned.nullish().describe('The vested units.'),
    contribution_source: text(1, 100).nullish().describe('The contributions that paid for it.'),
    is_cash: z.boolean().nullish().describe('The holding is money of the account.'),
  })
  .meta({ id: 'CustomSandboxHolding', description: 'A holding of the sandbox bank.' });

export const customInvestmentTransaction = z
  .object({
    account,
    security: security.nullish().describe('The security; missing = none.'),
    type: z
      .enum(INVESTMENT_TRANSACTION_TYPES)
      .meta({ id: 'CustomSandboxMovementType', description: 'The type of a movement.' })
      .describe('The type.'),
    date: day.describe('The day of the row.'),
    settled_on: day.nullish().describe('The day of settlement.'),
    quantity: figure.nullish().describe('The change of the position.'),
    price: unsigned.nullish().describe('The price of a unit.'),
    amount: money.describe(
      "The change of the account's cash. Required, except for a transfer, a split or another movement of units alone.",
    ),
    gross: unsignedMoney.describe('The value of what moved.'),
    fees: unsignedMoney.describe('The fees, included in `amount`.'),
    taxes: unsignedMoney.describe('The taxes, included in `amount`.'),
    currency: currencyCode.nullish().describe('Missing = that of the account.'),
    description: text(1, 500).nullish().describe('The text of the bank.'),
    pending: z.boolean().nullish().describe('It is not posted yet.'),
  })
  .refine(
    ({ type, amount, quantity }) =>
      (amount ?? null) !== null ||
      (['transfer', 'split', 'other'].includes(type) && (quantity ?? null) !== null),
    {
      path: ['amount'],
      message: 'Is required, except for a transfer, a split or another movement of units alone.',
    },
  )
  .meta({
    id: 'CustomSandboxInvestmentTransaction',
    description: 'A movement of an investment account of the sandbox bank.',
  });

const part = <Shape extends z.core.$ZodLooseShape>(id: string, description: string, shape: Shape) =>
  z.object(shape).meta({ id, description }).nullish().describe(description);

export const customLiability = z
  .object({
    account,
    balance: money.describe('What is owed; missing = `balances.current` of the account.'),
    limit: money.describe('The limit; missing = that of the account.'),
    available: money.describe('What can still be borrowed; missing = that of the account.'),
    statement: part('CustomSandboxStatement', 'The newest statement.', {
      date: day.nullish().describe('Its day.'),
      balance: money.describe('Its balance.'),
    }),
    minimum_payment: unsignedMoney.describe('The least to pay.'),
    next_payment: part('CustomSandboxNextPayment', 'The next payment.', {
      due_on: day.nullish().describe('The day on which it is due.'),
      amount: unsignedMoney.describe('The amount.'),
    }),
    last_payment: part('CustomSandboxLastPayment', 'The last payment.', {
      date: day.nullish().describe('Its day.'),
      amount: unsignedMoney.describe('The amount.'),
    }),
    past_due: unsignedMoney.describe('The amount that is past due.'),
    is_overdue: z.boolean().nullish().describe('A payment is overdue.'),
    rates: z
      .array(
        z
          .object({
            kind: z
              .enum(LIABILITY_RATE_KINDS)
              .meta({ id: 'CustomSandboxRateKind', description: 'The use of a rate.' })
              .describe('The use that it applies to.'),
            percentage: percentage.describe('Percent a year.'),
            balance: money.describe('The balance at this rate.'),
            interest_charged: money.describe('The interest charged.'),
          })
          .meta({ id: 'CustomSandboxRate', description: 'A rate of a card.' }),
      )
      .max(MAX_RATES)
      .nullish()
      .describe('The rates of a card.'),
    interest_rate: part('CustomSandboxInterestRate', 'The rate of a loan.', {
      percentage: percentage.describe('Percent a year.'),
      type: z
        .enum(['fixed', 'variable'])
        .meta({ id: 'CustomSandboxInterestRateType', description: 'How a rate changes.' })
        .nullish()
        .describe('Whether it can change.'),
    }),
    principal: part('CustomSandboxPrincipal', 'The principal of a loan.', {
      original: unsignedMoney.describe('At the beginning.'),
      outstanding: unsignedMoney.describe('Still owed.'),
    }),
    originated_on: day.nullish().describe('The first day.'),
    matures_on: day.nullish().describe('The last day.'),
    term_months: count.describe('The term.'),
    payments_total: count.describe('The number of payments.'),
    payment_frequency: text(1, 40).nullish().describe('How often a payment is due.'),
    escrow: money.describe('The balance in escrow.'),
    payoff_amount: unsignedMoney.describe('What repays the loan today.'),
    year_to_date: part('CustomSandboxYearToDate', 'Paid since January 1.', {
      interest: unsignedMoney.describe('The interest.'),
      principal: unsignedMoney.describe('The principal.'),
    }),
  })
  .meta({ id: 'CustomSandboxLiability', description: 'A debt at the sandbox bank.' });
