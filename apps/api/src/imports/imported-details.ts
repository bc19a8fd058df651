import type { Decimal } from 'decimal.js';
import type { z } from 'zod';
import { maskOf, parseDayAndTime } from '../../../../domain/imports/imported-data.js';
import {
  counterpartyAccount,
  type CounterpartyNumbers,
} from '../../../../domain/transactions/counterparty-numbers.js';
import {
  detailsOf,
  type TransactionDetails,
} from '../../../../domain/transactions/transaction-details.js';
import type { detailFields } from '../schemas/transaction-details.schema.js';

type Given = z.output<
  z.ZodObject<ReturnType<typeof detailFields<z.ZodType<Decimal>, z.ZodType<string>>>>
>;

/** The details of an imported row. The mask of a given number wins over a given mask. */
export function importedDetails(given: Given): {
  details: TransactionDetails;
  counterpartyNumbers: CounterpartyNumbers | null;
} {
  const { counterparty, merchant, references, original } = given;
  const account = counterparty?.numbers;
  const { numbers, mask } = counterpartyAccount({
    iban: account?.iban ?? null,
    bic: account?.bic ?? null,
    accountNumber: account?.account_number ?? null,
    bankCode: account?.bank_code ?? null,
  });
  return {
    counterpartyNumbers: numbers,
    details: detailsOf({
      counterparty: {
        name: counterparty?.name ?? null,
        accountMask: mask ?? maskOf(counterparty?.account_mask ?? null),
        kind: counterparty?.kind ?? null,
      },
      merchant: { name: merchant?.name ?? null, mcc: merchant?.mcc ?? null },
      remittance: given.remittance || null,
      references: {
        endToEnd: references?.end_to_end ?? null,
        mandate: references?.mandate ?? null,
        creditor: references?.creditor ?? null,
        checkNumber: references?.check_number ?? null,
      },
      original: original ? { ...original, rate: original.rate ?? null } : null,
      transactedAt: momentOf(given.transacted_at ?? null),
    }),
  };
}

function momentOf(written: string | null): string | null {
  const moment = written === null ? null : parseDayAndTime(written);
  return moment === null ? null : (moment.datetime ?? `${moment.date}T00:00:00.000`);
}
