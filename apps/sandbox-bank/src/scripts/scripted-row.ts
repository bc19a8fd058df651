/** A row written by a script. It stays in the list when it is removed: its name is taken. */
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
  status: 'PENDING' | 'BOOKED' | 'GONE';
}
