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
  counterparty: { name: string | null } | null;
  merchant: { name: string | null } | null;
  remittance: string | null;
  references: {
    end_to_end: string | null;
    creditor: string | null;
    check_number: string | null;
  } | null;
  transacted_at: string | null;
}
