/** The fields of a row that only some payments have, in the words of no vendor. */
export interface RowDetails {
  /** ISO 18245. */
  mcc?: string;
  /** The sub-family of an ISO 20022 bank transaction code, after `PMNT`: `RCDT-SALA`. */
  bankCode?: string;
  /** The other side of a transfer; `merchant` is its name. */
  party?: { iban: string; bic: string; isCompany: boolean };
  /** The text of the payer. */
  memo?: string;
  /** The structured reference of the payee. */
  reference?: string;
  checkNumber?: string;
  /** Before the conversion; `rate` is the price of one unit of `currency`. */
  original?: { amount: string; currency: string; rate: string };
}
