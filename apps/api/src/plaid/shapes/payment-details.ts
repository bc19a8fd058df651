import type { StoredTransaction } from './stored-transaction.js';

/** Plaid has no other kind of counterparty that our data shows. Left out if there is none. */
export function counterparties({ merchant }: Pick<StoredTransaction, 'merchant'>) {
  const name = merchant?.name ?? null;
  if (name === null) return {};
  return {
    counterparties: [
      {
        name,
        entity_id: null,
        type: 'merchant',
        website: null,
        logo_url: null,
        confidence_level: 'UNKNOWN',
      },
    ],
  };
}

/**
 * Describes transfers, which have a counterparty and no merchant; all null for other rows. Source:
 * plaid-compat 3.5.
 */
export function paymentMeta(row: StoredTransaction) {
  const isTransfer = row.merchant === null;
  const party = isTransfer ? (row.counterparty?.name ?? null) : null;
  return {
    reference_number: isTransfer
      ? (row.references?.creditor ?? row.references?.end_to_end ?? null)
      : null,
    ppd_id: null,
    payee: row.type === 'debit' ? party : null,
    by_order_of: null,
    payer: row.type === 'credit' ? party : null,
    payment_method: null,
    payment_processor: null,
    reason: isTransfer ? row.remittance : null,
  };
}
