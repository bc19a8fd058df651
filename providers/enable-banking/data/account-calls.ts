import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { isUnreadable, notePart, type ReadScope } from '../../http/read-scope.js';
import type { ProviderAccess } from '../../contract/provider.js';
import type { ApiClient } from '../client/api-client.js';
import { EnableBankingFailure, scopeOf } from '../client/failure-table.js';
import { psuHeaders } from '../client/psu-headers.js';
import { decodeCredential, type SessionAccount } from '../client/sealed.js';

export interface DataParts {
  callApi: ApiClient;
  now: () => Date;
}

/**
 * The resources that banks count, for each account; also the names of the quotas in `facts.quotas`.
 */
export const RESOURCES = ['details', 'balances', 'transactions'] as const;
export type Resource = (typeof RESOURCES)[number];

/** Reads a resource of an account; a call that continues a listing is not counted. */
export type AccountCall = (
  resource: Resource,
  query?: Readonly<Record<string, string>>,
) => Promise<unknown>;

/**
 * Reads the accounts of a session one after the other. An account whose call fails, or whose data
 * is unreadable, is omitted; when nothing could be read, the first failure is thrown. A failure
 * that concerns all accounts ends the fetch, as does one for two accounts in succession by which
 * Enable Banking seems to be away.
 * @throws ProviderFailure
 */
export async function readEachAccount<T>(
  { callApi }: Pick<DataParts, 'callApi'>,
  access: ProviderAccess,
  read: (account: SessionAccount, call: AccountCall, scope: ReadScope) => Promise<T>,
): Promise<{ read: T[]; unreported: string[] }> {
  const { accounts, psuHeaders: required } = decodeCredential(access.credential);
  const headers = psuHeaders(required, access.endUser);
  const done: T[] = [];
  const unreported: string[] = [];
  let first: ProviderFailure | null = null;
  let wasAway = false;
  for (const account of accounts) {
    const call: AccountCall = async (resource, query = {}) => {
      if (query['continuation_key'] === undefined) await access.acquire(resource, account.id);
      return callApi({
        method: 'GET',
        path: ['accounts', account.uid, resource],
        query,
        headers,
        signal: access.signal,
      });
    };
    const scope = { account: account.id, note: access.note };
    try {
      done.push(await read(account, call, scope));
      wasAway = false;
    } catch (error) {
      const reach = scopeOf(error);
      if (!(error instanceof ProviderFailure) || reach === 'call') throw error;
      if (reach === 'source' && wasAway) throw error;
      wasAway = reach === 'source';
      const isRefusal = error instanceof EnableBankingFailure && error.code !== null;
      if (isUnreadable(error) && !isRefusal) notePart({ ...scope, scope: 'account' }, error);
      else unreported.push(account.id);
      first ??= error;
    }
  }
  if (done.length === 0 && first !== null) throw first;
  return { read: done, unreported };
}
