import { z } from 'zod';
import { transactionType } from '../openapi/models/transaction.model.js';
import { currencyCode } from '../schemas/currency.schema.js';
import { day } from '../schemas/query.schema.js';
import { text } from '../schemas/text.schema.js';
import { bankDetails } from './custom-sandbox-data.schema.js';

export const MAX_STEPS = 100;

const ref = text(1, 64).describe('Your name of the row, by which later steps find it.');
const money = z.number().positive().max(1e12).meta({ format: 'decimal' });
const what = {
  amount: money.optional().describe('The amount, without a sign.'),
  description: text(1, 500).nullable().optional().describe('The cleaned text.'),
  raw_description: text(1, 500).nullable().optional().describe('The text of the bank.'),
  category: text(1, 100).nullable().optional().describe('The category that the bank names.'),
  date: day.optional().describe('The day by the clock of the world; missing = today.'),
  ...bankDetails,
};
const birth = {
  ...what,
  account_id: text(1, 100).optional().describe('The account; missing = the first one.'),
  type: transactionType.optional().describe('Money out, or in; missing = out.'),
  currency: currencyCode.optional().describe('The currency; missing = that of the account.'),
};

const step = z
  .discriminatedUnion('verb', [
    z
      .object({
        verb: z.literal('authorize').describe('A pending row appears.'),
        ref,
        ...birth,
        amount: money.describe('The amount, without a sign.'),
      })
      .meta({ id: 'ScriptAuthorizeStep', description: 'A pending row appears.' }),
    z
      .object({
        verb: z.literal('post').describe('A row is posted, a pending one or a new one.'),
        ref,
        ...birth,
      })
      .meta({ id: 'ScriptPostStep', description: 'A row is posted, a pending one or a new one.' }),
    z
      .object({ verb: z.literal('amend').describe('A row changes.'), ref, ...what })
      .meta({ id: 'ScriptAmendStep', description: 'A row changes.' }),
    z
      .object({
        verb: z.literal('reverse').describe('A posted row is reversed by another one.'),
        ref,
        date: day.optional().describe('The day of the reversal; missing = today.'),
      })
      .meta({ id: 'ScriptReverseStep', description: 'A posted row is reversed by another one.' }),
    z
      .object({ verb: z.literal('drop').describe('A row disappears.'), ref })
      .meta({ id: 'ScriptDropStep', description: 'A row disappears.' }),
    z
      .object({
        verb: z.literal('backdate').describe('A posted row appears on an earlier day.'),
        ref,
        ...birth,
        date: day.describe('The earlier day.'),
      })
      .meta({ id: 'ScriptBackdateStep', description: 'A posted row appears on an earlier day.' }),
  ])
  .meta({ id: 'ScriptStep' });

/** Source: link-lifecycle 14. The bank rejects impossible steps. */
export const RunScriptRequest = {
  body: z.object({
    refresh: z.boolean().default(true).describe('The transactions are fetched afterwards.'),
    script: z
      .array(step)
      .min(1)
      .max(MAX_STEPS)
      .describe('The steps, in their order: all are carried out, or none.'),
  }),
};
export type RunScriptBody = z.output<typeof RunScriptRequest.body>;
