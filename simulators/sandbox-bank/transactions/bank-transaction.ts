import type { RowDetails } from '../details/row-details.js';

/**
 * A row in the bank's API. The amount is an exact decimal in a string, with a separate
 * direction.
 */
export interface BankTransaction extends RowDetails {
  transaction_id: string;
  account_id: string;
  direction: 'OUT' | 'IN';
  amount: string;
  currency: string;
  booking_date: string;
  /** Local time of the bank, `YYYY-MM-DDTHH:MM:SS.mmm`, always on the booking date; null when not known. */
  local_datetime: string | null;
  status: 'PENDING' | 'BOOKED';
  description: string | null;
  statement_text: string | null;
  category: string | null;
}
