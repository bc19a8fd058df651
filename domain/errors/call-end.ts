import type { ProviderCause } from './provider-failure.js';

/**
 * The reason that a call of a bank did not succeed. `lost`: its outcome is unknown. `ourDatabase`:
 * the failure was internal; the bank may well have responded. `isOurQuota`: the bank was not
 * called.
 */
export type CallEnd =
  | {
      kind: 'failed';
      cause: ProviderCause;
      mayRepeat: boolean;
      notBeforeMs: number;
      ourDatabase: boolean;
      isOurQuota: boolean;
    }
  | { kind: 'lost' };
