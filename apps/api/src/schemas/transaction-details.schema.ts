import { z } from 'zod';
import { COUNTERPARTY_KINDS, MCC } from '../../../../domain/transactions/transaction-details.js';
import { currencyCode } from './currency.schema.js';
import { text } from './text.schema.js';

const NUMBER = 64;
const REFERENCE = 200;

const numbers = z
  .object({
    iban: text(1, NUMBER).nullish().describe('International bank account number.'),
    bic: text(1, NUMBER).nullish().describe('Business identifier code of the bank.'),
    account_number: text(1, NUMBER)
      .nullish()
      .describe('A national account number, if there is no IBAN.'),
    bank_code: text(1, NUMBER)
      .nullish()
      .describe('The national code of the bank, such as a routing number.'),
  })
  .meta({ id: 'CounterpartyNumbersInput', description: 'The account number of the other side.' });

const counterparty = z
  .object({
    name: text(1, 200).nullish().describe('The name of the other side.'),
    account_mask: text(1, NUMBER)
      .nullish()
      .describe('The last four characters of its account number.'),
    kind: z
      .enum(COUNTERPARTY_KINDS, 'Must be person or business.')
      .meta({ id: 'CounterpartyKind', description: 'A person, or a business.' })
      .nullish()
      .describe('A person, or a business.'),
    numbers: numbers.nullish().describe('Its account number in full; it is stored sealed.'),
  })
  .meta({ id: 'CounterpartyInput', description: 'The other side of the transaction.' });

const merchant = z
  .object({
    name: text(1, 200).nullish().describe('The name of the shop.'),
    mcc: z
      .string()
      .regex(MCC, 'Must be four digits.')
      .nullish()
      .describe('ISO 18245 merchant category code.'),
  })
  .meta({ id: 'MerchantInput', description: 'The shop of a card payment.' });

const references = z
  .object({
    end_to_end: text(1, REFERENCE)
      .nullish()
      .describe('The reference of the payer, which the payment carries unchanged.'),
    mandate: text(1, REFERENCE).nullish().describe('The mandate of a direct debit.'),
    creditor: text(1, REFERENCE)
      .nullish()
      .describe('The structured reference of the payee, as on an invoice.'),
    check_number: text(1, REFERENCE).nullish().describe('The number of a check.'),
  })
  .meta({ id: 'PaymentReferencesInput', description: 'References that systems compare.' });

/**
 * The details of a transaction that an app provides: at import, and as data of a sandbox bank. Source:
 * native-api 4.9.
 *
 * @param id the name of the schema of the original amount
 * @param money an amount that is not negative
 * @param moment a day, or a day and a time
 */
export function detailFields<Money extends z.ZodType, Moment extends z.ZodType>(
  id: string,
  money: Money,
  moment: Moment,
) {
  return {
    counterparty: counterparty.nullish().describe('The other side of the transaction.'),
    merchant: merchant.nullish().describe('The shop of a card payment.'),
    remittance: text(0, 500)
      .nullish()
      .describe('The text of the payer for the payee, without the references.'),
    references: references.nullish().describe('References that systems compare.'),
    original: z
      .object({
        amount: money.describe('The amount in that currency, never negative.'),
        currency: currencyCode.describe('The currency in which it was paid.'),
        rate: money
          .nullish()
          .describe('The price of one unit of `currency` in the currency of the transaction.'),
      })
      .meta({ id })
      .nullish()
      .describe('The amount before it was converted.'),
    transacted_at: moment.nullish().describe('When it happened, in local time.'),
  };
}
