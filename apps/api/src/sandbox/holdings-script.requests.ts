import { z } from 'zod';
import { text } from '../schemas/text.schema.js';
import { rawFigure, rawFlag, rawText } from './raw-fields.schema.js';
import { MAX_STEPS } from './script.requests.js';

const MAX_LOTS = 100;
const FIGURE = /^-?\d{1,19}(\.\d{1,19})?$/;
const UNSIGNED = /^\d{1,19}(\.\d{1,19})?$/;

const figure = z.string().regex(FIGURE, 'Must be a decimal in text.');
const unsigned = z.string().regex(UNSIGNED, 'Must be a decimal in text, not negative.');
const holding = { holding_id: text(1, 100).describe('The holding.') };

const security = z
  .object({
    name: rawText('The name.'),
    symbol: rawText('The symbol.'),
    exchange: rawText('The exchange, ISO 10383.'),
    isin: rawText('The ISIN.'),
    cusip: rawText('The CUSIP.'),
    sedol: rawText('The SEDOL.'),
    figi: rawText('The FIGI.'),
    type: rawText('The type.'),
    currency: rawText('The currency of its quotes; `GBX` for pence.'),
    is_cash_equivalent: rawFlag('It is as good as money.'),
    option: z
      .object({
        underlying_symbol: rawText('The symbol of the underlying security.'),
        kind: rawText('`put` or `call`.'),
        expires_on: rawText('The last day.'),
        strike_price: rawFigure('The price at which it is exercised.'),
        contract_size: rawFigure('The units of one contract.'),
      })
      .meta({ id: 'ScriptOption', description: 'The terms of an option.' })
      .nullable()
      .optional()
      .describe('The terms of an option.'),
    fixed_income: z
      .object({
        face_value: rawFigure('The face value of one unit.'),
        coupon_rate: rawFigure('Percent a year.'),
        yield_to_maturity: rawFigure('Percent a year.'),
        matures_on: rawText('The day of repayment.'),
        issued_on: rawText('The day of issue.'),
      })
      .meta({ id: 'ScriptFixedIncome', description: 'The terms of a bond.' })
      .nullable()
      .optional()
      .describe('The terms of a bond.'),
  })
  .meta({ id: 'ScriptSecurity', description: 'Fields of a security; one left out stays.' });

const lot = z
  .object({
    lot_id: rawText('The id of the bank.'),
    acquired_on: rawText('The day of the purchase.'),
    quantity: rawFigure('The units.'),
    price_paid: rawFigure('The price of a unit.'),
    cost_basis: rawFigure('The total paid.'),
    value: rawFigure('The value.'),
  })
  .meta({ id: 'ScriptLot', description: 'A lot of a holding.' });

const step = z
  .discriminatedUnion('verb', [
    z
      .object({
        verb: z.literal('set').describe('Fields of a holding get other values.'),
        ...holding,
        quantity: rawFigure('The units.'),
        price: rawFigure('The price, in the currency of the quotes.'),
        price_as_of: rawText('The day of the price.'),
        value: rawFigure('The value; left out, it follows quantity and price.'),
        currency: rawText('The currency.'),
        cost_basis: rawFigure('The cost.'),
        cost_basis_kind: rawText('`TOTAL`, or null: the bank does not state it.'),
        purchase_price: rawFigure('The price paid for a unit.'),
        acquired_on: rawText('The day of the purchase.'),
        vested_quantity: rawFigure('The vested units.'),
        contribution_source: rawText('The contributions that paid for it.'),
        is_cash: rawFlag('The holding is money of the account.'),
        lots: z.array(lot).max(MAX_LOTS).optional().describe('The lots.'),
        security: security.optional().describe('Fields of its security.'),
      })
      .meta({ id: 'HoldingsSetStep', description: 'Fields of a holding get other values.' }),
    z
      .object({
        verb: z.literal('trade').describe('A purchase, or a sale.'),
        holding_id: text(1, 100).optional().describe('The holding; missing = a first purchase.'),
        account_id: text(1, 100).optional().describe('The account of a first purchase.'),
        symbol: text(1, 40).optional().describe('The symbol of a first purchase.'),
        quantity: figure.describe('The units; negative = a sale.'),
        price: unsigned.optional().describe('The price of a unit; missing = the newest one.'),
        fees: unsigned.optional().describe('The fees; missing = none.'),
      })
      .meta({ id: 'HoldingsTradeStep', description: 'A purchase, or a sale.' }),
    z
      .object({
        verb: z.literal('dividend').describe('A dividend is paid.'),
        ...holding,
        amount: unsigned.describe('The amount before taxes.'),
        taxes: unsigned.optional().describe('The taxes withheld; missing = none.'),
      })
      .meta({ id: 'HoldingsDividendStep', description: 'A dividend is paid.' }),
    z
      .object({
        verb: z.literal('split').describe('A security is split.'),
        ...holding,
        ratio: unsigned.describe('The units that one becomes.'),
      })
      .meta({ id: 'HoldingsSplitStep', description: 'A security is split.' }),
    z
      .object({
        verb: z.literal('rename').describe('A security gets another name or symbol.'),
        ...holding,
        name: text(1, 200).nullable().optional().describe('The new name.'),
        symbol: text(1, 40).nullable().optional().describe('The new symbol.'),
      })
      .meta({ id: 'HoldingsRenameStep', description: 'A security gets another name or symbol.' }),
    z
      .object({ verb: z.literal('drop').describe('A holding leaves the list.'), ...holding })
      .meta({ id: 'HoldingsDropStep', description: 'A holding leaves the list.' }),
    z
      .object({
        verb: z.literal('reissue_ids').describe('All holdings get other ids at the bank.'),
      })
      .meta({
        id: 'HoldingsReissueIdsStep',
        description: 'All holdings get other ids at the bank.',
      }),
  ])
  .meta({ id: 'HoldingsStep' });

/** Source: link-lifecycle 14. The bank rejects impossible steps. */
export const RunHoldingsScriptRequest = {
  body: z.object({
    refresh: z.boolean().default(true).describe('Holdings and trades are fetched afterwards.'),
    script: z
      .array(step)
      .min(1)
      .max(MAX_STEPS)
      .describe('The steps, in their order: all are carried out, or none.'),
  }),
};
export type RunHoldingsScriptBody = z.output<typeof RunHoldingsScriptRequest.body>;
