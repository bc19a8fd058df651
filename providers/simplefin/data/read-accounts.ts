import type { ProviderAccess } from '../../contract/provider.js';
import { decodeCredential } from '../client/access-url.js';
import type { AddressPolicy } from '../client/address-policy.js';
import type { SimplefinClient } from '../client/simplefin-client.js';
import { readAccountSet, type AccountSet } from './account-set.js';

export interface DataParts {
  callServer: SimplefinClient;
  policy: AddressPolicy;
  now: () => Date;
}

/** The name of the quota in `facts.quotas`. */
export const REQUESTS = 'requests';

/**
 * Makes one counted request of `GET /accounts`.
 * @throws ProviderFailure
 */
export async function readAccounts(
  { callServer, policy }: DataParts,
  access: ProviderAccess,
  query: Readonly<Record<string, string>>,
): Promise<AccountSet> {
  const { root, authorization } = decodeCredential(access.credential, policy);
  await access.acquire(REQUESTS);
  const body = await callServer({
    operation: 'data',
    method: 'GET',
    address: `${root}/accounts`,
    query: { version: '2', ...query },
    authorization,
    signal: access.signal,
  });
  return readAccountSet(body, access);
}
