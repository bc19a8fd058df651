import { derivedId } from '../ledger/draws.js';
import type { Account, Row } from '../ledger/ledger.types.js';
import { absoluteMoney, isNegative } from '../ledger/money.js';
import type { AspspFacts } from './aspsps.js';

export type TransactionStatus = 'BOOK' | 'PDNG' | 'HOLD';

export function statusOf(
  { status }: Row,
  { type }: Account,
  { cardPending }: Pick<AspspFacts, 'cardPending'>,
): TransactionStatus {
  if (status === 'posted') return 'BOOK';
  return type === 'credit_card' ? cardPending : 'PDNG';
}

/** Stable and the bank's own; null for a row without one, and while it is pending. */
export const entryReference = ({ id, status, isAnonymous }: Row): string | null =>
  status === 'pending' || isAnonymous ? null : derivedId('enable-banking', id).slice(0, 18);

/**
 * One entry of `/transactions` (Transaction).
 * @param listing differs from listing to listing, and so does `transaction_id`, which the vendor
 *   forbids as the identity of a row
 */
export function transactionResource(
  row: Row,
  account: Account,
  facts: AspspFacts,
  listing: string,
): Record<string, unknown> {
  const isDebit = isNegative(row.amount);
  const isBooked = row.status === 'posted';
  const party = row.merchant === null ? null : { name: row.merchant, postal_address: null };
  return {
    entry_reference: entryReference(row),
    merchant_category_code: null,
    transaction_amount: { currency: account.currency, amount: absoluteMoney(row.amount) },
    creditor: isDebit ? party : null,
    creditor_account: null,
    creditor_agent: null,
    debtor: isDebit ? null : party,
    debtor_account: null,
    debtor_agent: null,
    bank_transaction_code: null,
    credit_debit_indicator: isDebit ? 'DBIT' : 'CRDT',
    status: statusOf(row, account, facts),
    booking_date: isBooked ? row.day : null,
    value_date: isBooked ? row.day : null,
    transaction_date: isBooked && account.type !== 'credit_card' ? null : row.day,
    balance_after_transaction:
      row.runningBalance === null
        ? null
        : { currency: account.currency, amount: row.runningBalance },
    reference_number: null,
    reference_number_schema: null,
    remittance_information: [row.description],
    debtor_account_additional_identification: null,
    creditor_account_additional_identification: null,
    exchange_rate: null,
    note: null,
    transaction_id: derivedId('transaction', row.id, listing),
  };
}
