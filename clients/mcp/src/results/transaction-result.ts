import type { Transaction } from '@tributary/node';
import { untrustedText, untrustedValue } from './untrusted-text.js';

export function transactionResult(row: Transaction) {
  return {
    transaction_id: row.transaction_id,
    account_id: row.account_id,
    date: row.date.slice(0, 10),
    amount: row.amount,
    currency: row.currency,
    type: row.type,
    pending: row.pending,
    category: row.category,
    untrusted_description: untrustedText(row.description),
    untrusted_counterparty: untrustedText(row.counterparty?.name ?? null),
    untrusted_merchant: untrustedText(row.merchant?.name ?? null),
    untrusted_remittance: untrustedText(row.remittance),
    untrusted_references: untrustedValue(row.references),
  };
}
