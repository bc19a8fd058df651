import { z } from 'zod';
import { day, money, storableText as text } from '../storage/value-forms.js';

/** A missing value is unknown. */
const orNull = <Form extends z.ZodType>(form: Form) =>
  form.nullish().transform((value) => value ?? null);
const moneyOrNull = orNull(money);
const dayOrNull = orNull(day);
const textOrNull = (max: number) => orNull(text(max));
const figure = z.string().regex(/^-?\d{1,19}(\.\d{1,19})?$/);
const unsigned = z.string().regex(/^\d{1,19}(\.\d{1,19})?$/);
const unsignedOrNull = orNull(unsigned);
const currencyOrNull = orNull(z.string().regex(/^[A-Z]{3}$/));
const percentage = z.number().min(0).max(100).transform(String);
const countOrNull = orNull(z.number().int().min(0));
const listOf = <Form extends z.ZodType>(form: Form, max: number) =>
  z
    .array(form)
    .max(max)
    .nullish()
    .transform((value) => value ?? []);

/** The index of one of the accounts. */
const account = z.number().int().min(0);

const Security = z.object({
  name: textOrNull(200),
  symbol: textOrNull(40),
  exchange: textOrNull(4),
  isin: textOrNull(12),
  cusip: textOrNull(9),
  sedol: textOrNull(7),
  figi: textOrNull(12),
  type: orNull(
    z.enum([
      'cash',
      'cryptocurrency',
      'derivative',
      'equity',
      'etf',
      'fixed_income',
      'mutual_fund',
    ]),
  ),
  currency: currencyOrNull,
  is_cash_equivalent: orNull(z.boolean()),
  option: orNull(
    z.object({
      underlying_symbol: text(40),
      kind: z.enum(['put', 'call']),
      expires_on: day,
      strike_price: unsigned,
      contract_size: unsignedOrNull,
    }),
  ),
  fixed_income: orNull(
    z.object({
      face_value: unsignedOrNull,
      coupon_rate: unsignedOrNull,
      yield_to_maturity: orNull(figure),
      matures_on: dayOrNull,
      issued_on: dayOrNull,
    }),
  ),
});

const Lot = z.object({
  acquired_on: dayOrNull,
  quantity: figure,
  price_paid: unsignedOrNull,
  cost_basis: moneyOrNull,
  value: moneyOrNull,
});

export const CustomHolding = z.object({
  account,
  security: Security,
  quantity: figure,
  price: unsignedOrNull,
  price_as_of: dayOrNull,
  value: moneyOrNull,
  currency: currencyOrNull,
  cost_basis: moneyOrNull,
  lots: listOf(Lot, 100),
  vested_quantity: unsignedOrNull,
  contribution_source: textOrNull(100),
  is_cash: orNull(z.boolean()),
});

export const CustomInvestmentTransaction = z.object({
  account,
  security: orNull(Security),
  type: z.enum([
    'buy',
    'sell',
    'dividend',
    'interest',
    'fee',
    'tax',
    'deposit',
    'withdrawal',
    'transfer',
    'split',
    'other',
  ]),
  date: day,
  settled_on: dayOrNull,
  quantity: orNull(figure),
  price: unsignedOrNull,
  amount: moneyOrNull,
  gross: moneyOrNull,
  fees: moneyOrNull,
  taxes: moneyOrNull,
  currency: currencyOrNull,
  description: textOrNull(500),
  pending: z.boolean().nullish(),
});

export const CustomLiability = z.object({
  account,
  balance: moneyOrNull,
  limit: moneyOrNull,
  available: moneyOrNull,
  statement: orNull(z.object({ date: dayOrNull, balance: moneyOrNull })),
  minimum_payment: moneyOrNull,
  next_payment: orNull(z.object({ due_on: dayOrNull, amount: moneyOrNull })),
  last_payment: orNull(z.object({ date: dayOrNull, amount: moneyOrNull })),
  past_due: moneyOrNull,
  is_overdue: orNull(z.boolean()),
  rates: listOf(
    z.object({
      kind: z.enum(['purchase', 'cash', 'balance_transfer', 'penalty', 'special']),
      percentage,
      balance: moneyOrNull,
      interest_charged: moneyOrNull,
    }),
    20,
  ),
  interest_rate: orNull(z.object({ percentage, type: orNull(z.enum(['fixed', 'variable'])) })),
  principal: orNull(z.object({ original: moneyOrNull, outstanding: moneyOrNull })),
  originated_on: dayOrNull,
  matures_on: dayOrNull,
  term_months: countOrNull,
  payments_total: countOrNull,
  payment_frequency: textOrNull(40),
  escrow: moneyOrNull,
  payoff_amount: moneyOrNull,
  year_to_date: orNull(z.object({ interest: moneyOrNull, principal: moneyOrNull })),
});

/** Parts of `custom_sandbox_data` in the words of native-api 4.14 to 4.16. Source: link-lifecycle 13.4. */
export type CustomSecurity = z.output<typeof Security>;
export type CustomHolding = z.output<typeof CustomHolding>;
export type CustomInvestmentTransaction = z.output<typeof CustomInvestmentTransaction>;
export type CustomLiability = z.output<typeof CustomLiability>;
