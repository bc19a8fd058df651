// cspell:ignore organisation
import { derivedId } from '../ledger/draws.js';
import type { Account, Row, RowDetails } from '../ledger/ledger.types.js';
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
  const { details } = row;
  const party = partyOf(row);
  const [other, side] = [otherAccountOf(details), isDebit ? 'creditor' : 'debtor'] as const;
  return {
    entry_reference: entryReference(row),
    merchant_category_code: details.mcc ?? null,
    transaction_amount: { currency: account.currency, amount: absoluteMoney(row.amount) },
    creditor: isDebit ? party : null,
    creditor_account: side === 'creditor' ? other.account : null,
    creditor_agent: side === 'creditor' ? other.agent : null,
    debtor: isDebit ? null : party,
    debtor_account: side === 'debtor' ? other.account : null,
    debtor_agent: side === 'debtor' ? other.agent : null,
    bank_transaction_code: bankCodeOf(details),
    credit_debit_indicator: isDebit ? 'DBIT' : 'CRDT',
    status: statusOf(row, account, facts),
    booking_date: isBooked ? row.day : null,
    value_date: isBooked ? row.day : null,
    transaction_date: isBooked && account.type !== 'credit_card' ? null : row.day,
    balance_after_transaction:
      row.runningBalance === null
        ? null
        : { currency: account.currency, amount: row.runningBalance },
    reference_number: details.reference ?? null,
    reference_number_schema: details.reference === undefined ? null : 'SCOR',
    remittance_information: [row.description],
    debtor_account_additional_identification: null,
    creditor_account_additional_identification: null,
    exchange_rate: exchangeOf(details),
    note: null,
    transaction_id: derivedId('transaction', row.id, listing),
  };
}

function partyOf({ merchant: name, details: { party } }: Row) {
  if (name === null) return null;
  const mark = { identification: 'REG-1', scheme_name: null, issuer: null };
  return {
    name,
    postal_address: null,
    organisation_id: party?.isCompany === true ? mark : null,
    private_id: party?.isCompany === false ? mark : null,
  };
}

function otherAccountOf({ party }: RowDetails) {
  if (party === undefined) return { account: null, agent: null };
  return {
    account: { iban: party.iban, other: null },
    agent: { bic_fi: party.bic, clearing_system_member_id: null, name: null },
  };
}

function bankCodeOf({ bankCode }: RowDetails) {
  if (bankCode === undefined) return null;
  return { description: null, code: 'PMNT', sub_code: bankCode };
}

function exchangeOf({ original }: RowDetails) {
  if (original === undefined) return null;
  const { amount, currency, rate } = original;
  return {
    unit_currency: currency,
    exchange_rate: rate,
    rate_type: null,
    contract_identification: null,
    instructed_amount: { currency, amount },
  };
}
