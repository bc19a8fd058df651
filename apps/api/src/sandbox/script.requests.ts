import { z } from 'zod';
import { transactionType } from '../openapi/models/transaction.model.js';
import { currencyCode } from '../schemas/currency.schema.js';
import { day } from '../schemas/query.schema.js';
import { text } from '../schemas/text.schema.js';
import { bankDetails } from './custom-sandbox-data.schema.js';

const MAX_STEPS = 100;

const ref = text(1, 64);
const money = z.number().positive().max(1e12).meta({ format: 'decimal' });
const what = {
  amount: money.optional(),
  description: text(1, 500).nullable().optional(),
  raw_description: text(1, 500).nullable().optional(),
  category: text(1, 100).nullable().optional(),
  date: day.optional(),
  ...bankDetails,
};
const birth = {
  ...what,
  account_id: text(1, 100).optional(),
  type: transactionType.optional(),
  currency: currencyCode.optional(),
};

const step = z
  .discriminatedUnion('verb', [
    z
      .object({
        verb: z.literal('authorize'),
        ref,
        ...birth,
        amount: money,
      })
      .meta({ id: 'ScriptAuthorizeStep' }),
    z.object({ verb: z.literal('post'), ref, ...birth }).meta({ id: 'ScriptPostStep' }),
    z.object({ verb: z.literal('amend'), ref, ...what }).meta({ id: 'ScriptAmendStep' }),
    z
      .object({ verb: z.literal('reverse'), ref, date: day.optional() })
      .meta({ id: 'ScriptReverseStep' }),
    z.object({ verb: z.literal('drop'), ref }).meta({ id: 'ScriptDropStep' }),
    z
      .object({ verb: z.literal('backdate'), ref, ...birth, date: day })
      .meta({ id: 'ScriptBackdateStep' }),
  ])
  .meta({ id: 'ScriptStep' });

/** Source: link-lifecycle 14. The bank rejects impossible steps. */
export const RunScriptRequest = {
  body: z.object({
    refresh: z.boolean().default(true),
    script: z.array(step).min(1).max(MAX_STEPS),
  }),
};
export type RunScriptBody = z.output<typeof RunScriptRequest.body>;
