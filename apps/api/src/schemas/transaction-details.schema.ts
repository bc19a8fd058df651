import { z } from 'zod';
import { COUNTERPARTY_KINDS, MCC } from '../../../../domain/transactions/transaction-details.js';
import { currencyCode } from './currency.schema.js';
import { text } from './text.schema.js';

const NUMBER = 64;
const REFERENCE = 200;

const numbers = z
  .object({
    iban: text(1, NUMBER).nullish(),
    bic: text(1, NUMBER).nullish(),
    account_number: text(1, NUMBER).nullish(),
    bank_code: text(1, NUMBER).nullish(),
  })
  .meta({ id: 'CounterpartyNumbersInput' });

const counterparty = z
  .object({
    name: text(1, 200).nullish(),
    account_mask: text(1, NUMBER).nullish(),
    kind: z
      .enum(COUNTERPARTY_KINDS, 'Must be person or business.')
      .meta({ id: 'CounterpartyKind' })
      .nullish(),
    numbers: numbers.nullish(),
  })
  .meta({ id: 'CounterpartyInput' });

const merchant = z
  .object({
    name: text(1, 200).nullish(),
    mcc: z.string().regex(MCC, 'Must be four digits.').nullish(),
  })
  .meta({ id: 'MerchantInput' });

const references = z
  .object({
    end_to_end: text(1, REFERENCE).nullish(),
    mandate: text(1, REFERENCE).nullish(),
    creditor: text(1, REFERENCE).nullish(),
    check_number: text(1, REFERENCE).nullish(),
  })
  .meta({ id: 'PaymentReferencesInput' });

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
    counterparty: counterparty.nullish(),
    merchant: merchant.nullish(),
    remittance: text(0, 500).nullish(),
    references: references.nullish(),
    original: z
      .object({
        amount: money,
        currency: currencyCode,
        rate: money.nullish(),
      })
      .meta({ id })
      .nullish(),
    transacted_at: moment.nullish(),
  };
}
