/** Unusable data from a source. Names places, never values. */
export interface SourceFault {
  /**
   * `value`: one optional value, now null. `row`: one row is not stored. `account`: (the rest of)
   * an account's data. `institution`: one entry of a list of institutions is not listed.
   */
  scope: 'value' | 'row' | 'account' | 'institution';
  /** The provider's id of its account; null = an unknown account. */
  account: string | null;
  /**
   * A name by which the user would recognize the account, if it could be read; null = none. Only
   * for faults of scope account.
   */
  accountName?: string | null;
  /**
   * The resource that was read, in the adapter's words: `account`, `balance`, `transaction`,
   * `page`, `connection`, `owner`, `number`, `aspsp`.
   */
  resource: string;
  /** The field, or '' for the whole resource. */
  field: string;
  reason: FaultReason;
}

/**
 * `missing`; `wrong_type`; `impossible`: a day or number that does not exist; `too_long`;
 * `repeated`: a page or id that appeared before; `endless`; `refused`: the source returned an error
 * for this part.
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
