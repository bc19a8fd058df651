import type { Decimal } from 'decimal.js';
import { jsonNumber } from '../api/money.js';
import type { CategorySource } from './categorize.js';
import { renderDetails, type TransactionDetails } from './transaction-details.js';

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
  categorySource: CategorySource | null;
  originalId: string | null;
  details: TransactionDetails;
}

/** The public JSON of a Transaction, rendered once when it is stored. Source: native-api 4.6. */
export function renderTransaction(transactionId: string, fields: TransactionFields): string {
  return (
    `{"transaction_id":${JSON.stringify(transactionId)},"account_id":${JSON.stringify(fields.accountId)},` +
    `"amount":${jsonNumber(fields.amount)},"type":"${fields.type}","currency":${JSON.stringify(fields.currency)},` +
    `"date":"${fields.date}T00:00:00","datetime":${JSON.stringify(fields.datetime)},` +
    `"description":${JSON.stringify(fields.description)},"raw_description":${JSON.stringify(fields.rawDescription)},` +
    `"pending":${fields.pending},"category":${JSON.stringify(fields.category)},"original_id":${JSON.stringify(fields.originalId)},` +
    `${renderDetails(fields.details)},"category_source":${JSON.stringify(fields.categorySource)}}`
  );
}
