import type { ProviderAccess, ProviderSecret } from '../providers/contract/provider.js';
import { ignoreFaults } from './source-faults.js';

/** The fields of an access that a permission needs; see `unmanagedAccess`. */
export type AccessFacts = Omit<ProviderAccess, 'renewCredential' | 'acquire' | 'endUser' | 'note'> &
  Partial<Pick<ProviderAccess, 'endUser' | 'acquire' | 'note'>>;

/**
 * Access with a permission that does not belong to a link, or no longer does. A renewed credential
 * replaces the one in `access.credential`, and `keep`, if given, stores it. Its calls draw on no
 * quota unless `acquire` is given, and their faults are ignored unless `note` is given.
 */
export function unmanagedAccess(
  { endUser = null, acquire = () => Promise.resolve(), note = ignoreFaults, ...facts }: AccessFacts,
  keep: (renewed: ProviderSecret) => Promise<void> = () => Promise.resolve(),
): ProviderAccess {
  const access = {
    ...facts,
    endUser,
    acquire,
    note,
    async renewCredential(
      exchange: (inForce: ProviderSecret, signal: AbortSignal) => Promise<ProviderSecret>,
    ) {
      access.credential = await exchange(access.credential, facts.signal);
      await keep(access.credential);
      return access.credential;
    },
  };
  return access;
}
