import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { storableText as text } from '../storage/value-forms.js';
import { DETAIL_FORMS } from '../details/given-details.js';

const amount = z
  .number()
  .positive()
  .max(1e12)
  .transform((value) => new Decimal(value).toDecimalPlaces(8).toFixed());
const day = z.iso.date();

const what = {
  amount: amount.optional(),
  description: text(500).nullable().optional(),
  statement_text: text(500).nullable().optional(),
  category: text(100).nullable().optional(),
  date: day.optional(),
  ...DETAIL_FORMS,
};
/** The creation of a row. */
const birth = {
  ...what,
  account_id: text(100).optional(),
  direction: z.enum(['OUT', 'IN']).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
};
const ref = { ref: text(100) };

const Step = z.discriminatedUnion('verb', [
  z.object({ verb: z.literal('authorize'), ...ref, ...birth }),
  z.object({ verb: z.literal('post'), ...ref, ...birth }),
  z.object({ verb: z.literal('amend'), ...ref, ...what }),
  z.object({ verb: z.literal('reverse'), ...ref, date: day.optional() }),
  z.object({ verb: z.literal('drop'), ...ref }),
  z.object({ verb: z.literal('backdate'), ...ref, ...birth, date: day }),
]);
export const Script = z.array(Step).min(1).max(100);

/** One verb and its row. Source: link-lifecycle 14. */
export type ScriptStep = z.infer<typeof Step>;
export type Birth = Pick<Extract<ScriptStep, { verb: 'authorize' }>, keyof typeof birth>;
