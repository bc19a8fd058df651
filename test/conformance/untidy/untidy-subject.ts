import type { ProviderAccess } from '../../../providers/contract/provider.js';
import type { Operation } from './readings.js';

/** A value without which nothing in its scope can be read, or whose absence has another meaning. */
export interface Exception {
  /** As in the figures: the resource, and the place in it. */
  place: string;
  operations?: readonly Operation[];
  reason: string;
}

/** The changes to the responses of an adapter's counterpart. */
export interface UntidySubject {
  /** An institution with several accounts; `long`: another one for the whole run. */
  remoteId: string;
  long?: string;
  /**
   * The parameter for the size of a page, and sizes that create several, by the end of the path.
   */
  pageSize?: { name: string; sizes: Readonly<Record<string, number>> };
  /** Ids of the source that identify an account in addition to the provider's own. */
  aliases?(access: ProviderAccess): ReadonlyMap<string, string>;
  exceptions: readonly Exception[];
}

export const WHOLE_ANSWER = 'It is the whole answer.';
export const ONLY_PART = 'Nothing else of the answer is about an account.';
