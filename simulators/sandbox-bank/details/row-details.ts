/** The fields of a row that only some payments have. */
export interface RowDetails {
  counterparty_name: string | null;
  counterparty_kind: 'PERSON' | 'BUSINESS' | null;
  counterparty_iban: string | null;
  counterparty_bic: string | null;
  counterparty_account_number: string | null;
  counterparty_bank_code: string | null;
  merchant_name: string | null;
  /** ISO 18245, four digits. */
  merchant_category_code: string | null;
  /** ISO 20022, `PMNT-RCDT-SALA`. */
  bank_transaction_code: string | null;
  remittance_text: string | null;
  end_to_end_id: string | null;
  mandate_id: string | null;
  creditor_reference: string | null;
  check_number: string | null;
  /** Exact decimals. */
  original_amount: string | null;
  original_currency: string | null;
  original_rate: string | null;
  /** Local time of the bank, `YYYY-MM-DDTHH:MM:SS.mmm`. */
  transacted_at: string | null;
}

export const NO_DETAILS: RowDetails = {
  counterparty_name: null,
  counterparty_kind: null,
  counterparty_iban: null,
  counterparty_bic: null,
  counterparty_account_number: null,
  counterparty_bank_code: null,
  merchant_name: null,
  merchant_category_code: null,
  bank_transaction_code: null,
  remittance_text: null,
  end_to_end_id: null,
  mandate_id: null,
  creditor_reference: null,
  check_number: null,
  original_amount: null,
  original_currency: null,
  original_rate: null,
  transacted_at: null,
};
