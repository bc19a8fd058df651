import { z } from 'zod';
import { INVESTMENT_TRANSACTION_TYPES } from '../../../../../domain/investments/investment-transaction-types.js';
import { AMOUNT_SOURCES } from '../../../../../domain/investments/present-investment-transaction.js';
import { decimalText, securityId } from './security.model.js';
import {
  accountId,
  currency,
  day,
  idOf,
  money,
  transactionId,
  unsignedMoney,
} from './values.model.js';

export const investmentTransactionId = idOf('itx_').meta({
  id: 'InvestmentTransactionId',
  description:
    'The id of an investment transaction, from pending to posted. Opaque and case-sensitive.',
});

/** Source: native-api 3.14. */
export const investmentTransaction = z
  .object({
    investment_transaction_id: investmentTransactionId,
    account_id: accountId.describe('The account of the transaction.'),
    security_id: securityId
      .nullable()
      .describe('One of `securities`; null when none is involved, or nothing identifies it.'),
    type: z
      .enum(INVESTMENT_TRANSACTION_TYPES)
      .meta({ id: 'InvestmentTransactionType', description: 'The kind of movement.' })
      .describe('The kind of movement; `other` when the source names none of these.'),
    subtype: z
      .string()
      .nullable()
      .describe('An open list, such as `reinvestment`, `sell_short` or `return_of_capital`.')
      .meta({ examples: ['reinvestment'] }),
    source_code: z
      .string()
      .nullable()
      .describe('The code of the source, as sent.')
      .meta({ examples: ['PURCHASED'] }),
    quantity: decimalText
      .nullable()
      .describe('The change of the position: in positive, out negative; null when none changed.'),
    price: decimalText
      .nullable()
      .describe(
        'Currency per unit; of an option per unit of its underlying security, of a bond percent of par.',
      ),
    price_factor: decimalText
      .nullable()
      .describe(
        'The value is quantity × price × price factor: `1`, the size of a contract, or `0.01` for percent of par.',
      ),
    amount: money
      .nullable()
      .describe(
        'The change of the cash of the account: in positive, out negative; 0 for reinvested income, null when no money moved.',
      ),
    amount_source: z
      .enum(AMOUNT_SOURCES)
      .meta({ id: 'AmountSource', description: 'Where an amount comes from.' })
      .nullable()
      .describe('`computed` = from quantity, price, fees and taxes, since the source sent none.'),
    gross: unsignedMoney.nullable().describe('The value of what moved, never negative.'),
    fees: unsignedMoney.nullable().describe('Included in `amount`, never negative.'),
    taxes: unsignedMoney.nullable().describe('Included in `amount`, never negative.'),
    currency: currency.describe('Of price and amounts.'),
    date: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T00:00:00$/)
      .describe('The day of the trade.'),
    datetime: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/)
      .nullable()
      .describe('Only if the institution provides a time; in its local time.'),
    settled_on: day.nullable().describe('The day on which money and securities changed hands.'),
    description: z.string().nullable().describe('As provided by the institution.'),
    pending: z.boolean().describe('Not posted yet: it may change or vanish.'),
    cancels: investmentTransactionId
      .nullable()
      .describe('The transaction that this one cancels; both stay.'),
    transaction_id: transactionId
      .nullable()
      .describe('The row of `transactions` that is the same movement of cash: count only one.'),
  })
  .meta({ id: 'InvestmentTransaction', description: 'A movement of an investment account.' });
