import type { Decimal } from 'decimal.js';
import { jsonNumber } from '../api/money.js';

/** A stored transaction before it is rendered. Source: native-api 4.6. */
export interface TransactionFields {
  accountId: string;
  amount: Decimal;
  type: 'debit' | 'credit';
  currency: string;
  /** `YYYY-MM-DD`. */
  date: string;
  /** `YYYY-MM-DDTHH:MM:SS.mmm`, the institution's local time; null = unknown. */
  datetime: string | null;
  description: string | null;
  rawDescription: string | null;
  pending: boolean;
  category: string | null;
  originalId: string | null;
}

/** The public JSON of a Transaction, rendered once when it is stored. Source: native-api 4.6. */
export function renderTransaction(transactionId: string, fields: TransactionFields): string {
  return (
    `{"transaction_id":${JSON.stringify(transactionId)},"account_id":${JSON.stringify(fields.accountId)},` +
    `"amount":${jsonNumber(fields.amount)},"type":"${fields.type}","currency":${JSON.stringify(fields.currency)},` +
    `"date":"${fields.date}T00:00:00","datetime":${JSON.stringify(fields.datetime)},` +
    `"description":${JSON.stringify(fields.description)},"raw_description":${JSON.stringify(fields.rawDescription)},` +
    `"pending":${fields.pending},"category":${JSON.stringify(fields.category)},"original_id":${JSON.stringify(fields.originalId)}}`
  );
}

/**
 * The text whose hash detects changes: every public field but the id, in a fixed order, with
 * amounts in their shortest form so that `4.50` equals `4.5`.
 */
export function normalizedContent(fields: TransactionFields): string {
  return JSON.stringify([
    fields.accountId,
    jsonNumber(fields.amount),
    fields.type,
    fields.currency,
    fields.date,
    fields.datetime,
    fields.description,
    fields.rawDescription,
    fields.pending,
    fields.category,
    fields.originalId,
  ]);
}
