import { z } from 'zod';
import { storableText as text } from '../storage/value-forms.js';

const scalar = z.union([text(500, 0), z.number(), z.boolean(), z.null()]);
const object = z.record(text(40), scalar);
/** Any value of a field, sensible or not. */
const raw = z.union([scalar, object, z.array(object).max(100)]);
export const RawFields = z.record(text(40), raw);

const figure = z.string().regex(/^-?\d{1,19}(\.\d{1,19})?$/);
const unsigned = z.string().regex(/^\d{1,19}(\.\d{1,19})?$/);
const id = text(100);
const holding = { holding_id: id };

const Step = z.discriminatedUnion('verb', [
  z.object({ verb: z.literal('set'), ...holding, fields: RawFields }),
  z.object({
    verb: z.literal('trade'),
    holding_id: id.optional(),
    account_id: id.optional(),
    symbol: text(40).optional(),
    quantity: figure,
    price: unsigned.optional(),
    fees: unsigned.optional(),
  }),
  z.object({
    verb: z.literal('dividend'),
    ...holding,
    amount: unsigned,
    taxes: unsigned.optional(),
  }),
  z.object({ verb: z.literal('split'), ...holding, ratio: unsigned }),
  z.object({
    verb: z.literal('rename'),
    ...holding,
    name: text(200).nullable().optional(),
    symbol: text(40).nullable().optional(),
  }),
  z.object({ verb: z.literal('drop'), ...holding }),
  z.object({ verb: z.literal('reissue_ids') }),
]);
export const HoldingsScript = z.array(Step).min(1).max(100);

/** One verb and the holding it is about. Source: link-lifecycle 14. */
export type HoldingsStep = z.infer<typeof Step>;

/** Fields of the debts of accounts. Source: link-lifecycle 14. */
export const LiabilitiesScript = z
  .array(z.object({ verb: z.literal('set'), account_id: id, fields: RawFields }))
  .min(1)
  .max(100);
