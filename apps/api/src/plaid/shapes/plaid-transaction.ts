import { personalFinanceCategory } from './category.js';
import type { Version } from './category-map.js';
import { currencyCodes } from './currency.js';
import { legacyCategory } from './legacy-category.js';
import { moneyNumber } from './money-number.js';
import { pendingId } from './pending-id.js';
import { paymentMeta, counterparties } from './payment-details.js';
import type { StoredTransaction } from './stored-transaction.js';
import { transactionType } from './transaction-type.js';

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
    authorized_date: row.transacted_at?.slice(0, 10) ?? null,
    authorized_datetime: authorizedTime(row.transacted_at),
    name: row.description ?? row.raw_description ?? '',
    merchant_name: row.merchant?.name ?? null,
    ...counterparties(row),
    ...(includeOriginalDescription ? { original_description: row.raw_description } : {}),
    payment_channel: 'other',
    transaction_code: null,
    account_owner: null,
    location: { ...NO_LOCATION },
    payment_meta: paymentMeta(row),
    personal_finance_category: personalFinanceCategory(row.category, row.type, categoryVersion),
    ...legacyCategory(row.category, row.type),
    transaction_type: transactionType(row.category),
    check_number: row.references?.check_number ?? null,
    merchant_entity_id: null,
    logo_url: null,
    website: null,
  };
}

/** As with `datetime`, the local time of the institution; midnight means that only the day is known. */
function authorizedTime(transactedAt: string | null): string | null {
  return transactedAt === null || transactedAt.endsWith('T00:00:00.000')
    ? null
    : `${transactedAt}Z`;
}

export type PlaidTransaction = ReturnType<typeof presentTransaction>;
