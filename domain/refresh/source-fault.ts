/** Something a source sent that could not be used. Names places, never values. */
export interface SourceFault {
  /** `value`: one optional value, now null. `row`: one row is not stored. `account`: (the rest of) an account's data. */
  scope: 'value' | 'row' | 'account';
  /** The provider's id of the account it belongs to; null = of an unknown account. */
  account: string | null;
  /** What the user would recognize the account by, if it could be read; null = nothing. Only for faults of scope account. */
  accountName?: string | null;
  /** What was read, in the adapter's words: `account`, `balance`, `transaction`, `page`, `connection`, `owner`, `number`. */
  resource: string;
  /** The field, or '' for the whole. */
  field: string;
  reason: FaultReason;
}

/**
 * `missing`; `wrong_type`; `impossible`: a day or number that does not exist; `too_long`;
 * `repeated`: a page or id that came before; `endless`; `refused`: the source answered an error for
 * this part.
 */
export const FAULT_REASONS = [
  'missing',
  'wrong_type',
  'impossible',
  'too_long',
  'repeated',
  'endless',
  'refused',
] as const;
export type FaultReason = (typeof FAULT_REASONS)[number];
