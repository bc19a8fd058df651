/** Status of a transaction after a script. `gone` = dropped or withdrawn. */
export type ScriptedStatus = 'pending' | 'posted' | 'gone';

/** Fields of a transaction; missing = unchanged, or the default for a new one. */
interface RowFields {
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
