import type { RowDetails } from '../details/row-details.js';

/** A row written by a script. A removed row stays in the list: its name remains in use. */
export interface ScriptedRow {
  ref: string;
  accountId: string;
  direction: 'OUT' | 'IN';
  amount: string;
  currency: string;
  date: string;
  description: string | null;
  statementText: string | null;
  category: string | null;
  details: Partial<RowDetails>;
  status: 'PENDING' | 'BOOKED' | 'GONE';
}
