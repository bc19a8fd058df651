import { Decimal } from 'decimal.js';
import type { FetchedTransaction } from '../../../domain/refresh/fetched-data.js';
import { detailsOf } from '../../../domain/transactions/transaction-details.js';

const COUNTERPARTIES = 40;

/** Every detail that a source can know of a row; its rows have some 40 counterparties. */
export function filledDetails(
  number: number,
): Pick<FetchedTransaction, 'details' | 'counterpartyNumbers' | 'bankTransactionCode'> {
  const party = String(number % COUNTERPARTIES).padStart(4, '0');
  return {
    bankTransactionCode: { family: 'ICDT', subfamily: 'ESCT' },
    counterpartyNumbers: {
      iban: `DE8937040044053201${party}`,
      bic: 'COBADEFFXXX',
      accountNumber: null,
      bankCode: null,
    },
    details: detailsOf({
      counterparty: { name: `Party ${party}`, accountMask: party, kind: 'business' },
      merchant: { name: `Party ${party}`, mcc: '5814' },
      remittance: `Invoice ${number} of March`,
      references: {
        endToEnd: `E2E-${number}`,
        mandate: `M-${party}`,
        creditor: 'RF18539007547034',
        checkNumber: String(number),
      },
      original: { amount: new Decimal(number), currency: 'CHF', rate: new Decimal('1.0523') },
      transactedAt: '2026-03-01T08:12:00.000',
    }),
  };
}
