const NAMES = [
  'counterparty_name',
  'counterparty_iban',
  'counterparty_bic',
  'counterparty_account_number',
  'counterparty_bank_code',
  'merchant_name',
  /** ISO 18245, four digits. */
  'merchant_category_code',
  /** ISO 20022, `PMNT-RCDT-SALA`. */
  'bank_transaction_code',
  'remittance_text',
  'end_to_end_id',
  'mandate_id',
  'creditor_reference',
  'check_number',
  /** Exact decimals. */
  'original_amount',
  'original_currency',
  'original_rate',
  /** Local time of the bank, `YYYY-MM-DDTHH:MM:SS.mmm`. */
  'transacted_at',
] as const;

/** The fields of a row that only some payments have. */
export interface RowDetails extends Record<(typeof NAMES)[number], string | null> {
  counterparty_kind: 'PERSON' | 'BUSINESS' | null;
}

export const NO_DETAILS = {
  ...Object.fromEntries(NAMES.map((name) => [name, null])),
  counterparty_kind: null,
} as RowDetails;
