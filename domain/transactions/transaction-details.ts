import type { Decimal } from 'decimal.js';
import { jsonNumber, jsonNumberOrNull } from '../api/money.js';

/** The other side of a transaction, as the source names it. */
export interface Counterparty {
  name: string | null;
  /** The last four characters of its account number. */
  accountMask: string | null;
  /** Only if the source marks it; never derived from the name. */
  kind: CounterpartyKind | null;
}

export const COUNTERPARTY_KINDS = ['person', 'business'] as const;
export type CounterpartyKind = (typeof COUNTERPARTY_KINDS)[number];

/** The shop of a card payment. */
export interface Merchant {
  name: string | null;
  /** The ISO 18245 merchant category code, four digits. */
  mcc: string | null;
}

/** References that systems compare, apart from the text that people wrote. */
export interface PaymentReferences {
  /** The reference of the payer, which the payment carries unchanged. */
  endToEnd: string | null;
  /** The mandate of a direct debit. */
  mandate: string | null;
  /** The structured reference of the payee, as on an invoice (ISO 11649 and national forms). */
  creditor: string | null;
  checkNumber: string | null;
}

/**
 * The amount before it was converted into the currency of the row; of a row in another currency than
 * its account, the amount in that of the account.
 */
export interface OriginalAmount {
  /** Never negative. */
  amount: Decimal;
  currency: string;
  /** The price of one unit of `currency` in the currency of the row; null = unknown. */
  rate: Decimal | null;
}

/**
 * What a source knows about a transaction beyond the fields that people read first. An object of
 * which the source knows nothing is null. Source: native-api 4.6.
 */
export interface TransactionDetails {
  counterparty: Counterparty | null;
  merchant: Merchant | null;
  /** The text of the payer for the payee, without the references. */
  remittance: string | null;
  references: PaymentReferences | null;
  original: OriginalAmount | null;
  /**
   * The time at which it happened, `YYYY-MM-DDTHH:MM:SS.mmm` in the local time of the institution;
   * midnight if only the day is known.
   */
  transactedAt: string | null;
}

export const NO_DETAILS: TransactionDetails = {
  counterparty: null,
  merchant: null,
  remittance: null,
  references: null,
  original: null,
  transactedAt: null,
};

/** Completes details; objects whose members are all null become null. */
export function detailsOf(known: Partial<TransactionDetails>): TransactionDetails {
  const { counterparty = null, merchant = null, references = null } = known;
  return {
    ...NO_DETAILS,
    ...known,
    counterparty: isEmpty(counterparty) ? null : counterparty,
    merchant: isEmpty(merchant) ? null : merchant,
    references: isEmpty(references) ? null : references,
  };
}

function isEmpty(known: object | null): boolean {
  return known === null || Object.values(known).every((value) => value === null);
}

/** Merchant category codes have four digits. */
export const MCC = /^\d{4}$/;

/** The public members of a Transaction as JSON, without braces. Source: native-api 4.6. */
export function renderDetails(details: TransactionDetails): string {
  // Most rows of most sources have none.
  if (details === NO_DETAILS) return NONE;
  const { counterparty, merchant, remittance, references, original, transactedAt } = details;
  return `"counterparty":${
    counterparty === null
      ? 'null'
      : `{"name":${text(counterparty.name)},"account_mask":${text(counterparty.accountMask)},"kind":${text(counterparty.kind)}}`
  },"merchant":${
    merchant === null ? 'null' : `{"name":${text(merchant.name)},"mcc":${text(merchant.mcc)}}`
  },"remittance":${text(remittance)},"references":${
    references === null
      ? 'null'
      : `{"end_to_end":${text(references.endToEnd)},"mandate":${text(references.mandate)},` +
        `"creditor":${text(references.creditor)},"check_number":${text(references.checkNumber)}}`
  },"original":${
    original === null
      ? 'null'
      : `{"amount":${jsonNumber(original.amount)},"currency":${text(original.currency)},"rate":${jsonNumberOrNull(original.rate)}}`
  },"transacted_at":${text(transactedAt)}`;
}

const text = (value: string | null): string => (value === null ? 'null' : JSON.stringify(value));

const NONE =
  '"counterparty":null,"merchant":null,"remittance":null,"references":null,"original":null,"transacted_at":null';
