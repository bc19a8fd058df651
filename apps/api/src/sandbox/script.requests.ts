import { z } from 'zod';
import { day } from '../schemas/query.schema.js';
import { text } from '../schemas/text.schema.js';
import { bankDetails } from './custom-sandbox-data.schema.js';

const MAX_STEPS = 100;

const ref = text(1, 64);
const what = {
  amount: z.number().positive().max(1e12).optional(),
  description: text(1, 500).nullable().optional(),
  raw_description: text(1, 500).nullable().optional(),
  category: text(1, 100).nullable().optional(),
  date: day.optional(),
  ...bankDetails,
};
const birth = {
  ...what,
  account_id: text(1, 100).optional(),
  type: z.enum(['debit', 'credit']).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Must be three upper-case letters.')
    .optional(),
};

const step = z.discriminatedUnion('verb', [
  z.object({
    verb: z.literal('authorize'),
    ref,
    ...birth,
    amount: z.number().positive().max(1e12),
  }),
  z.object({ verb: z.literal('post'), ref, ...birth }),
  z.object({ verb: z.literal('amend'), ref, ...what }),
  z.object({ verb: z.literal('reverse'), ref, date: day.optional() }),
  z.object({ verb: z.literal('drop'), ref }),
  z.object({ verb: z.literal('backdate'), ref, ...birth, date: day }),
]);

/** Source: link-lifecycle 14. The bank rejects impossible steps. */
export const RunScriptRequest = {
  body: z.object({
    refresh: z.boolean().default(true),
    script: z.array(step).min(1).max(MAX_STEPS),
  }),
};
export type RunScriptBody = z.output<typeof RunScriptRequest.body>;
