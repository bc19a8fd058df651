import { z } from 'zod';
import { day, localTime, money, storableText as text } from '../storage/value-forms.js';
import type { RowDetails } from './row-details.js';

const name = (max: number) => text(max).nullish();
const unsigned = money.refine((amount) => !amount.startsWith('-'));

/** The details of a row that the one who writes it gives, in the form of native-api 4.9. */
export const DETAIL_FORMS = {
  counterparty: z
    .object({
      name: name(200),
      kind: z.enum(['person', 'business']).nullish(),
      numbers: z
        .object({ iban: name(64), bic: name(64), account_number: name(64), bank_code: name(64) })
        .nullish(),
    })
    .nullish(),
  merchant: z
    .object({
      name: name(200),
      mcc: z
        .string()
        .regex(/^\d{4}$/)
        .nullish(),
    })
    .nullish(),
  remittance: text(500, 0).nullish(),
  references: z
    .object({
      end_to_end: name(200),
      mandate: name(200),
      creditor: name(200),
      check_number: name(200),
    })
    .nullish(),
  original: z
    .object({
      amount: unsigned,
      currency: z.string().regex(/^[A-Z]{3}$/),
      rate: unsigned.nullish(),
    })
    .nullish(),
  transacted_at: z.union([localTime, day.transform((date) => `${date}T00:00:00.000`)]).nullish(),
  bank_transaction_code: name(35),
};
const Details = z.object(DETAIL_FORMS);
export type GivenDetails = z.output<typeof Details>;

/** The fields of a row for the details that are given. A null removes a detail. */
export function givenDetails(given: GivenDetails): Partial<RowDetails> {
  const { counterparty, merchant, references, original } = given;
  return {
    ...(counterparty === undefined ? {} : counterpartyFields(counterparty)),
    ...(merchant === undefined
      ? {}
      : {
          merchant_name: merchant?.name ?? null,
          merchant_category_code: merchant?.mcc ?? null,
        }),
    ...(references === undefined
      ? {}
      : {
          end_to_end_id: references?.end_to_end ?? null,
          mandate_id: references?.mandate ?? null,
          creditor_reference: references?.creditor ?? null,
          check_number: references?.check_number ?? null,
        }),
    ...(original === undefined
      ? {}
      : {
          original_amount: original?.amount ?? null,
          original_currency: original?.currency ?? null,
          original_rate: original?.rate ?? null,
        }),
    ...(given.remittance === undefined ? {} : { remittance_text: given.remittance }),
    ...(given.transacted_at === undefined ? {} : { transacted_at: given.transacted_at }),
    ...(given.bank_transaction_code === undefined
      ? {}
      : { bank_transaction_code: given.bank_transaction_code }),
  };
}

const KINDS = { person: 'PERSON', business: 'BUSINESS' } as const;

function counterpartyFields(counterparty: GivenDetails['counterparty']): Partial<RowDetails> {
  const { name: who, kind, numbers } = counterparty ?? {};
  return {
    counterparty_name: who ?? null,
    counterparty_kind: kind == null ? null : KINDS[kind],
    counterparty_iban: numbers?.iban ?? null,
    counterparty_bic: numbers?.bic ?? null,
    counterparty_account_number: numbers?.account_number ?? null,
    counterparty_bank_code: numbers?.bank_code ?? null,
  };
}
