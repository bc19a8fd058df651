import type { ProviderCause } from '../domain/errors/provider-failure.js';
import { ProviderFailure } from '../domain/errors/provider-failure.js';
import type { Provider } from '../providers/provider.js';

/** One finished call of a provider. */
export interface ProviderCall {
  provider: string;
  remoteId: string;
  operation: 'login' | 'fetch';
  /** Null = it succeeded. */
  cause: ProviderCause | null;
}

const LOGIN_METHODS = [
  'begin',
  'advance',
  'poll',
  'startRedirect',
  'completeRedirect',
] as const satisfies readonly (keyof Provider)[];
const FETCH_METHODS = [
  'fetchAccounts',
  'fetchAccountNumbers',
  'fetchIdentity',
] as const satisfies readonly (keyof Provider)[];

/**
 * The same provider, reporting how its logins and fetches went. Calls that were aborted, or failed
 * for a reason that is not the source's, are not reported.
 */
export function observeProvider(
  provider: Provider,
  report: (call: ProviderCall) => void,
): Provider {
  const observed: Provider = { ...provider };
  for (const method of LOGIN_METHODS) observe(method, 'login');
  for (const method of FETCH_METHODS) observe(method, 'fetch');
  const { fetchTransactions } = provider;
  if (fetchTransactions !== undefined)
    observed.fetchTransactions = async function* (access, window) {
      try {
        yield* fetchTransactions.call(provider, access, window);
      } catch (error) {
        failed(access.remoteId, 'fetch', error);
        throw error;
      }
      done(access.remoteId, 'fetch');
    };
  return observed;

  function observe(
    method: (typeof LOGIN_METHODS)[number] | (typeof FETCH_METHODS)[number],
    operation: ProviderCall['operation'],
  ): void {
    const original = provider[method] as
      ((first: { remoteId: string }, ...rest: unknown[]) => Promise<unknown>) | undefined;
    if (original === undefined) return;
    const call = async (first: { remoteId: string }, ...rest: unknown[]) => {
      try {
        const result = await original.call(provider, first, ...rest);
        done(first.remoteId, operation);
        return result;
      } catch (error) {
        failed(first.remoteId, operation, error);
        throw error;
      }
    };
    Object.assign(observed, { [method]: call });
  }

  function done(remoteId: string, operation: ProviderCall['operation']): void {
    report({ provider: provider.name, remoteId, operation, cause: null });
  }

  function failed(remoteId: string, operation: ProviderCall['operation'], error: unknown): void {
    if (error instanceof ProviderFailure)
      report({ provider: provider.name, remoteId, operation, cause: error.provider_cause });
  }
}
