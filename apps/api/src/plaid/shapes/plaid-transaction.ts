import { personalFinanceCategory } from './category.js';
import type { Version } from './category-map.js';
import { currencyCodes } from './currency.js';
import { legacyCategory } from './legacy-category.js';
import { moneyNumber } from './money-number.js';
import { pendingId } from './pending-id.js';
import { transactionType } from './transaction-type.js';

/** A transaction of the native API (native-api 4.6). */
export interface StoredTransaction {
  transaction_id: string;
  account_id: string;
  amount: number;
  type: 'debit' | 'credit';
  currency: string;
  date: string;
  datetime: string | null;
  description: string | null;
  raw_description: string | null;
  category: string | null;
}

export interface TransactionOptions {
  includeOriginalDescription: boolean;
  categoryVersion: Version;
}

const NO_LOCATION = {
  address: null,
  city: null,
  region: null,
  postal_code: null,
  country: null,
  lat: null,
  lon: null,
  store_number: null,
};
const NO_PAYMENT_META = {
  reference_number: null,
  ppd_id: null,
  payee: null,
  by_order_of: null,
  payer: null,
  payment_method: null,
  payment_processor: null,
  reason: null,
};

/** The posted record of a row that was pending refers to its pending record. Source: plaid-compat 5.2. */
export interface RecordStage {
  createdPending: boolean;
  posted: boolean;
}

/** A record of the change log that is not removed. Source: plaid-compat 3.5, 5.2. */
export function presentTransaction(
  row: StoredTransaction,
  { createdPending, posted }: RecordStage,
  { includeOriginalDescription, categoryVersion }: TransactionOptions,
) {
  const pendingRecord = createdPending ? pendingId(row.transaction_id) : null;
  return {
    transaction_id: posted ? row.transaction_id : pendingId(row.transaction_id),
    pending: !posted,
    pending_transaction_id: posted ? pendingRecord : null,
    account_id: row.account_id,
    amount: moneyNumber(row.type === 'credit' ? -row.amount : row.amount),
    ...currencyCodes(row.currency),
    date: row.date.slice(0, 10),
    datetime: row.datetime === null ? null : `${row.datetime}Z`,
    authorized_date: null,
    authorized_datetime: null,
    name: row.description ?? row.raw_description ?? '',
    merchant_name: null,
    ...(includeOriginalDescription ? { original_description: row.raw_description } : {}),
    payment_channel: 'other',
    transaction_code: null,
    account_owner: null,
    location: { ...NO_LOCATION },
    payment_meta: { ...NO_PAYMENT_META },
    personal_finance_category: personalFinanceCategory(row.category, row.type, categoryVersion),
    ...legacyCategory(row.category, row.type),
    transaction_type: transactionType(row.category),
    check_number: null,
    merchant_entity_id: null,
    logo_url: null,
    website: null,
  };
}

export type PlaidTransaction = ReturnType<typeof presentTransaction>;
