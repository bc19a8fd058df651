import { z } from 'zod';
import {
  COST_BASIS_EVIDENCE,
  COST_BASIS_SOURCES,
} from '../../../../../domain/investments/cost-basis.js';
import { decimalText, securityId } from './security.model.js';
import { accountId, currency, day, idOf, money } from './values.model.js';

const lot = z
  .object({
    lot_id: z.string().nullable().describe('The id of the source.'),
    acquired_on: day.nullable().describe('The day of the purchase.'),
    quantity: decimalText.describe('Units.'),
    price_paid: decimalText.nullable().describe('Per unit.'),
    cost_basis: decimalText.nullable().describe('Paid for the lot in total.'),
    value: decimalText.nullable().describe('The value of the lot.'),
  })
  .meta({ id: 'HoldingLot', description: 'A part of a holding that was acquired at one time.' });

/** Source: native-api 4.14. */
export const holding = z
  .object({
    holding_id: idOf('hld_')
      .meta({ id: 'HoldingId', description: 'The id of a holding. Opaque and case-sensitive.' })
      .describe('Kept while its position is held, also if the source renumbers its rows.'),
    account_id: accountId.describe('The account that holds it.'),
    security_id: securityId.describe('One of `securities`.'),
    quantity: decimalText.describe(
      'Units; contracts of an option, face value of a bond, money of cash. Negative = short.',
    ),
    price: decimalText
      .nullable()
      .describe(
        'Currency per unit; of an option per unit of its underlying security, of a bond percent of par.',
      ),
    price_source: z
      .enum(['reported', 'computed'])
      .meta({ id: 'PriceSource', description: 'Where a price comes from.' })
      .nullable()
      .describe('`computed` = value ÷ (quantity × price factor).'),
    price_factor: decimalText
      .nullable()
      .describe(
        'value = quantity × price × price factor: `1`, the size of a contract, or `0.01` for percent of par.',
      ),
    price_as_of: day.nullable().describe('The day for which the price held.'),
    value: money.nullable().describe('Has the sign of the quantity.'),
    currency: currency.describe('Of price, value and cost.'),
    cost_basis: money
      .nullable()
      .describe(
        'The total paid for what is held now, fees included. Null = unknown or not provable; never 0 by default.',
      ),
    cost_basis_source: z
      .enum(COST_BASIS_SOURCES)
      .meta({ id: 'CostBasisSource', description: 'What a cost basis was read from.' })
      .nullable()
      .describe('What the cost basis was read from.'),
    cost_basis_evidence: z
      .enum(COST_BASIS_EVIDENCE)
      .meta({ id: 'CostBasisEvidence', description: 'What proves the reading of a cost basis.' })
      .nullable()
      .describe('What proves this reading.'),
    cost_basis_reported: z.string().nullable().describe('The text of the source.'),
    vested_quantity: decimalText.nullable().describe('Units that belong to the owner already.'),
    contribution_source: z
      .string()
      .nullable()
      .describe('Who paid for it, in the words of the source.'),
    is_cash: z.boolean().nullable().describe('It is money of the account; null = unknown.'),
    lots: z.array(lot).max(100).describe('Empty = none reported.'),
    first_seen: day.describe('The first day of a list with it, by the clock of the link.'),
    ended: day.nullable().describe('The first day of a complete list without it.'),
  })
  .meta({ id: 'Holding', description: 'A position of an account, or one lot of it.' });

export const holdingsAccount = z
  .object({
    account_id: accountId,
    currency: currency.describe('The currency of all amounts.'),
    balance: money.nullable().describe('Of the same response of the source as the holdings.'),
    holdings_value: money.nullable().describe('The sum of all values; null if one is unknown.'),
    in_cash_holdings: money
      .nullable()
      .describe('The sum of the holdings that are cash; null if that is unknown of one.'),
    cash: z
      .object({
        amount: money.nullable().describe('Balance minus `holdings_value`. Negative = borrowed.'),
        source: z
          .enum(['computed', 'confirmed'])
          .meta({ id: 'CashSource', description: 'Whether the source reports the same amount.' })
          .nullable()
          .describe('`confirmed` = the source reports the same amount.'),
        reported: money.nullable().describe('The amount that the source itself reports.'),
      })
      .meta({ id: 'AccountCash', description: 'Money of an account that is in no holding.' }),
  })
  .meta({ id: 'HoldingsAccount', description: 'An account with holdings, counted once.' });
