import { z } from 'zod';
import { LIABILITY_KINDS } from '../../../../../domain/liabilities/liability.js';
import { accountId, currency, day, money, percentage } from './values.model.js';

const amount = (meaning: string) => money.nullable().describe(meaning);
const dayOf = (meaning: string) => day.nullable().describe(meaning);
const statement = z
  .object({
    date: dayOf('The day of the last statement.'),
    balance: amount('The balance of the last statement.'),
  })
  .meta({ id: 'LiabilityStatement', description: 'The last statement of a debt.' });

const nextPayment = z
  .object({
    due_on: dayOf('As the source sent it, also in the past.'),
    amount: amount('The amount that is due then.'),
  })
  .meta({ id: 'LiabilityNextPayment', description: 'The payment that is due next.' });

const lastPayment = z
  .object({
    date: dayOf('The day of the payment.'),
    amount: amount('The amount that was paid.'),
  })
  .meta({ id: 'LiabilityLastPayment', description: 'The last payment that was received.' });

const rate = z
  .object({
    kind: z
      .enum(['purchase', 'cash', 'balance_transfer', 'penalty', 'special'])
      .meta({ id: 'LiabilityRateKind', description: 'The balances to which a rate applies.' }),
    percentage,
    balance: amount('The part of the balance to which the rate applies.'),
    interest_charged: amount('The interest that was charged on it.'),
  })
  .meta({ id: 'LiabilityRate', description: 'A rate of a card or a credit line.' });

const interestRate = z
  .object({
    percentage,
    type: z
      .enum(['fixed', 'variable'])
      .meta({ id: 'InterestRateType', description: 'A variable rate may change.' })
      .nullable()
      .describe('Null = unknown.'),
  })
  .meta({ id: 'InterestRate', description: 'The rate of a loan.' });

const principal = z
  .object({
    original: amount('The sum that was lent.'),
    outstanding: amount('The part that is not repaid.'),
  })
  .meta({ id: 'LiabilityPrincipal', description: 'The sum of a loan, without interest.' });

const yearToDate = z
  .object({
    interest: amount('The interest paid this year.'),
    principal: amount('The principal repaid this year.'),
  })
  .meta({ id: 'LiabilityYearToDate', description: 'Paid since the beginning of the year.' });

/** Source: native-api 4.16. */
export const liability = z
  .object({
    account_id: accountId.describe('The account of the debt.'),
    kind: z.enum(LIABILITY_KINDS).meta({
      id: 'LiabilityKind',
      description: '`credit` = a card; `loan` = any loan of no other kind.',
    }),
    currency: currency.describe('The currency of all amounts.'),
    balance: amount('Owed positive; of a card or credit line, negative = a credit.'),
    limit: amount('The credit limit.'),
    available: amount('The credit that is left, as the source states it; never computed.'),
    statement: statement.nullable().describe('Null = unknown.'),
    minimum_payment: amount('0 = nothing is due.'),
    next_payment: nextPayment.nullable().describe('Null = unknown.'),
    last_payment: lastPayment.nullable().describe('Null = unknown.'),
    past_due: amount('The amount that was due and is not paid.'),
    is_overdue: z.boolean().nullable().describe('As the source states it; null = it does not.'),
    rates: z.array(rate).describe('Of cards and credit lines; empty = none reported.'),
    interest_rate: interestRate.nullable().describe('Of loans; null = unknown.'),
    principal: principal.nullable().describe('Of loans; null = unknown.'),
    originated_on: dayOf('The day on which the loan began.'),
    matures_on: dayOf('The day on which the loan ends.'),
    term_months: z.int().nullable().describe('The whole term of the loan in months.'),
    payments_total: z.int().nullable().describe('The payments of the whole term.'),
    payment_frequency: z
      .string()
      .nullable()
      .describe('As the source names it, such as `monthly` or `biweekly`.'),
    escrow: amount('The balance held for taxes and insurance.'),
    payoff_amount: amount('The amount that would repay the debt now.'),
    year_to_date: yearToDate.nullable().describe('Null = unknown.'),
  })
  .meta({ id: 'Liability', description: 'The debt of one account.' });
