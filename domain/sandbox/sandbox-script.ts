/** What becomes of a row. `gone` = dropped, or withdrawn. */
export type ScriptedStatus = 'pending' | 'posted' | 'gone';

/** Fields that say what a row is; missing = as it was, or the default of a new row. */
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

/** One verb of a script and the row it is about. Source: link-lifecycle 14. */
export type ScriptStep = { ref: string } & (
  | ({ verb: 'authorize' } & NewRowFields)
  | ({ verb: 'post' } & NewRowFields)
  | ({ verb: 'amend' } & RowFields)
  | { verb: 'reverse'; date?: string }
  | { verb: 'drop' }
  | ({ verb: 'backdate' } & NewRowFields)
);
