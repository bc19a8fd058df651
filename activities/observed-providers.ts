import { ProviderFailure, type ProviderCause } from '../domain/errors/provider-failure.js';
import type { Provider } from '../providers/contract/provider.js';
import type { ProviderRegistry } from '../providers/registry.js';

/** One call of an adapter. */
export interface ObservedCall {
  provider: string;
  /** The provider's id of the institution; null for calls without one. */
  remoteId: string | null;
  /** The method of the contract. */
  operation: string;
  /**
   * `aborted`: the caller aborted the call; `error`: the adapter threw an error that the contract
   * does not allow.
   */
  outcome: 'ok' | 'aborted' | 'error' | ProviderCause;
  seconds: number;
}

export type ObserveCall = (call: ObservedCall) => void;

/** The methods that reach a source. */
const OPERATIONS: readonly string[] = [
  'listInstitutions',
  'check',
  'begin',
  'advance',
  'poll',
  'startRedirect',
  'completeRedirect',
  'update',
  'fetchAccounts',
  'fetchTransactions',
  'fetchAccountNumbers',
  'fetchIdentity',
  'fetchHoldings',
  'fetchInvestmentTransactions',
  'fetchLiabilities',
  'fetchPermissionEnd',
  'revoke',
  'readWebhook',
] satisfies (keyof Provider)[];

/** Wraps the registry to report every call of its providers. */
export function observeProviders<R extends Pick<ProviderRegistry, 'get' | 'all'>>(
  registry: R,
  observe: ObserveCall,
): R {
  const observed = new WeakMap<Provider, Provider>();
  const of = (provider: Provider): Provider => {
    const known = observed.get(provider) ?? observeProvider(provider, observe);
    observed.set(provider, known);
    return known;
  };
  return {
    ...registry,
    get: (name: string) => of(registry.get(name)),
    all: () => registry.all().map(of),
  };
}

function observeProvider(provider: Provider, observe: ObserveCall): Provider {
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || typeof name !== 'string' || !OPERATIONS.includes(name))
        return member;
      return (...args: unknown[]) => {
        const end = start(
          { provider: target.name, remoteId: remoteIdOf(args), operation: name },
          observe,
        );
        const result: unknown = Reflect.apply(member, target, args);
        if (isIterable(result)) return observePages(result, end);
        return (result as Promise<unknown>).then(
          (value) => {
            end('ok');
            return value;
          },
          (error: unknown) => {
            end(outcomeOf(error));
            throw error;
          },
        );
      };
    },
  });
}

/**
 * The reader's pauses between two pages count, too. Readers do not pause: they read all pages in
 * one go.
 */
async function* observePages(
  pages: AsyncIterable<unknown>,
  end: (outcome: ObservedCall['outcome']) => void,
): AsyncGenerator {
  let outcome: ObservedCall['outcome'] = 'aborted';
  try {
    yield* pages;
    outcome = 'ok';
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    end(outcome);
  }
}

/** Login contexts and accesses name the institution. */
function remoteIdOf([first]: readonly unknown[]): string | null {
  const { remoteId } = (first ?? {}) as { remoteId?: unknown };
  return typeof remoteId === 'string' ? remoteId : null;
}

function start(
  call: Pick<ObservedCall, 'provider' | 'remoteId' | 'operation'>,
  observe: ObserveCall,
) {
  const startedAt = performance.now();
  return (outcome: ObservedCall['outcome']): void =>
    observe({ ...call, outcome, seconds: (performance.now() - startedAt) / 1_000 });
}

function outcomeOf(error: unknown): ObservedCall['outcome'] {
  if (error instanceof ProviderFailure) return error.providerCause;
  return error instanceof Error && error.name === 'AbortError' ? 'aborted' : 'error';
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
