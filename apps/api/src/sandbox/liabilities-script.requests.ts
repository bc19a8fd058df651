import { z } from 'zod';
import { text } from '../schemas/text.schema.js';
import { rawFigure, rawFlag, rawText } from './raw-fields.schema.js';
import { MAX_STEPS } from './script.requests.js';

const MAX_RATES = 20;

const part = <Shape extends z.core.$ZodLooseShape>(id: string, description: string, shape: Shape) =>
  z.object(shape).meta({ id, description }).nullable().optional().describe(description);

const step = z
  .object({
    verb: z.literal('set').describe('Fields of a debt get other values.'),
    account_id: text(1, 100).describe('The account of the debt.'),
    kind: rawText('The kind.'),
    currency: rawText('The currency.'),
    balance: rawFigure('What is owed, which is the balance of the account, too.'),
    limit: rawFigure('The limit.'),
    available: rawFigure('What can still be borrowed.'),
    statement: part('ScriptStatement', 'The newest statement.', {
      date: rawText('Its day.'),
      balance: rawFigure('Its balance.'),
    }),
    minimum_payment: rawFigure('The least to pay.'),
    next_payment: part('ScriptNextPayment', 'The next payment.', {
      due_on: rawText('The day on which it is due.'),
      amount: rawFigure('The amount.'),
    }),
    last_payment: part('ScriptLastPayment', 'The last payment.', {
      date: rawText('Its day.'),
      amount: rawFigure('The amount.'),
    }),
    past_due: rawFigure('The amount that is past due.'),
    is_overdue: rawFlag('A payment is overdue.'),
    rates: z
      .array(
        z
          .object({
            kind: rawText('`purchase`, `cash`, `balance_transfer`, `penalty` or `special`.'),
            percentage: rawFigure('Percent a year.'),
            balance: rawFigure('The balance at this rate.'),
            interest_charged: rawFigure('The interest charged.'),
          })
          .meta({ id: 'ScriptRate', description: 'A rate of a card.' }),
      )
      .max(MAX_RATES)
      .optional()
      .describe('The rates of a card.'),
    interest_rate: part('ScriptInterestRate', 'The rate of a loan.', {
      percentage: rawFigure('Percent a year.'),
      type: rawText('`fixed` or `variable`.'),
    }),
    principal: part('ScriptPrincipal', 'The principal of a loan.', {
      original: rawFigure('At the beginning.'),
      outstanding: rawFigure('Still owed.'),
    }),
    originated_on: rawText('The first day.'),
    matures_on: rawText('The last day.'),
    term_months: rawFigure('The term.'),
    payments_total: rawFigure('The number of payments.'),
    payment_frequency: rawText('How often a payment is due.'),
    escrow: rawFigure('The balance in escrow.'),
    payoff_amount: rawFigure('What repays the loan today.'),
    year_to_date: part('ScriptYearToDate', 'Paid since January 1.', {
      interest: rawFigure('The interest.'),
      principal: rawFigure('The principal.'),
    }),
  })
  .meta({ id: 'LiabilitiesSetStep', description: 'Fields of a debt get other values.' });

/** Source: link-lifecycle 14. */
export const RunLiabilitiesScriptRequest = {
  body: z.object({
    refresh: z.boolean().default(true).describe('The debts are fetched afterwards.'),
    script: z
      .array(step)
      .min(1)
      .max(MAX_STEPS)
      .describe('The steps, in their order: all are carried out, or none.'),
  }),
};
export type RunLiabilitiesScriptBody = z.output<typeof RunLiabilitiesScriptRequest.body>;
