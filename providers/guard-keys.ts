import { KeysRefused } from '../domain/errors/provider-failure.js';
import type { Provider } from './contract/provider.js';

export interface KeyGuard {
  /**
   * Whether the source is known to refuse the keys: it is not called again before a check succeeds.
   */
  isBroken(): boolean;
  /** Called when the source refuses the keys; awaited before the call fails. */
  onRefused(): Promise<void>;
}

/** Members that do not call the source, or that check whether the keys work again. */
const UNGUARDED: ReadonlySet<PropertyKey> = new Set<keyof Provider>([
  'institutions',
  'check',
  'readWebhook',
]);

/** Members that return pages; all others return a promise, which callers may `catch`. */
const LISTINGS: ReadonlySet<PropertyKey> = new Set<keyof Provider>([
  'listInstitutions',
  'fetchTransactions',
]);

type Method = (this: Provider, ...args: unknown[]) => unknown;

/**
 * The same provider, except that its calls fail immediately with `KeysRefused` while its
 * configuration is broken, and report when a source refuses the keys.
 */
export function guardKeys(provider: Provider, guard: KeyGuard): Provider {
  return new Proxy(provider, {
    get(target, member): unknown {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== 'function' || UNGUARDED.has(member)) return value;
      const call = (args: unknown[]) => (value as Method).apply(target, args);
      return (...args: unknown[]) => {
        if (guard.isBroken()) {
          const refused = new KeysRefused(`The source refused the keys of "${target.name}".`);
          if (LISTINGS.has(member)) throw refused;
          return Promise.reject(refused);
        }
        const result = call(args);
        return isIterable(result) ? reportPages(result, guard) : reportFailure(result, guard);
      };
    },
  });
}

function isIterable(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

async function* reportPages(pages: AsyncIterable<unknown>, guard: KeyGuard) {
  try {
    yield* pages;
  } catch (error) {
    throw await reported(error, guard);
  }
}

async function reportFailure(result: unknown, guard: KeyGuard): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    throw await reported(error, guard);
  }
}

async function reported(error: unknown, guard: KeyGuard): Promise<unknown> {
  if (error instanceof KeysRefused) await guard.onRefused();
  return error;
}
