import type { CounterpartyKind } from '../transactions/transaction-details.js';

/** Status of a transaction after a script. `gone` = dropped or withdrawn. */
export type ScriptedStatus = 'pending' | 'posted' | 'gone';

/** The details of a transaction, as in native-api 4.9; null removes one. */
interface DetailFields {
  counterparty?: {
    name?: string | null;
    kind?: CounterpartyKind | null;
    numbers?: {
      iban?: string | null;
      bic?: string | null;
      account_number?: string | null;
      bank_code?: string | null;
    } | null;
  } | null;
  merchant?: { name?: string | null; mcc?: string | null } | null;
  remittance?: string | null;
  references?: {
    end_to_end?: string | null;
    mandate?: string | null;
    creditor?: string | null;
    check_number?: string | null;
  } | null;
  original?: { amount: number; currency: string; rate?: number | null } | null;
  /** A day, or a local time. */
  transacted_at?: string | null;
  /** ISO 20022. */
  bank_transaction_code?: string | null;
}

/** Fields of a transaction; missing = unchanged, or the default for a new one. */
interface RowFields extends DetailFields {
  amount?: number;
  description?: string | null;
  raw_description?: string | null;
  category?: string | null;
  /** `YYYY-MM-DD`. */
  date?: string;
}

interface NewRowFields extends RowFields {
  account_id?: string;
  type?: 'debit' | 'credit';
  currency?: string;
}

/** One step of a script and the transaction it affects. Source: link-lifecycle 14. */
export type ScriptStep = { ref: string } & (
  | ({ verb: 'authorize' } & NewRowFields)
  | ({ verb: 'post' } & NewRowFields)
  | ({ verb: 'amend' } & RowFields)
  | { verb: 'reverse'; date?: string }
  | { verb: 'drop' }
  | ({ verb: 'backdate' } & NewRowFields)
);
