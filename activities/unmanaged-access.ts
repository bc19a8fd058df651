import type { ProviderAccess, ProviderSecret } from '../providers/provider.js';

/** Access with what a permission needs; see `unmanagedAccess`. */
export type AccessFacts = Omit<ProviderAccess, 'renewCredential' | 'acquire' | 'endUser'> &
  Partial<Pick<ProviderAccess, 'endUser'>>;

/**
 * Access with a permission that no link holds (yet, or any more): a renewed credential replaces the
 * one in `access.credential`, and nothing is stored. Its calls draw on no quota.
 */
export function unmanagedAccess({ endUser = null, ...facts }: AccessFacts): ProviderAccess {
  const access = {
    ...facts,
    endUser,
    async renewCredential(exchange: (inForce: ProviderSecret) => Promise<ProviderSecret>) {
      access.credential = await exchange(access.credential);
      return access.credential;
    },
    acquire: () => Promise.resolve(),
  };
  return access;
}
