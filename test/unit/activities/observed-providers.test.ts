import { observeProviders, type ObservedCall } from '../../../activities/observed-providers.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { Provider } from '../../../providers/contract/provider.js';
import { createProviderRegistry } from '../../../providers/registry.js';
import { accessWith, GENEROUS_FACTS, KEYS_WORK } from '../../support/fixtures/provider-calls.js';

const WINDOW = { from: '2026-01-01', to: '2026-03-31' };
const access = accessWith({ credential: Buffer.from('c'), reference: 'r' }, 'bank');

describe('Observed providers', () => {
  let calls: string[];
  let seconds: number[];
  const observe = ({ provider, operation, outcome, seconds: took }: ObservedCall) => {
    calls.push(`${provider} ${operation} ${outcome}`);
    seconds.push(took);
  };
  const observed = (able: Partial<Provider>): Provider => {
    const provider: Provider = {
      name: 'fake',
      adapter: 'fake',
      facts: GENEROUS_FACTS,
      institutions: () => [],
      check: () => Promise.resolve(KEYS_WORK),
      begin: () => Promise.reject(new Error('canary')),
      fetchAccounts: () => Promise.resolve({ accounts: [], unreported: ['a1'] }),
      ...able,
    };
    return observeProviders(createProviderRegistry([provider]), observe).get('fake');
  };
  beforeEach(() => {
    calls = [];
    seconds = [];
  });

  it('report a call that succeeds, with its time', async () => {
    expect(await observed({}).fetchAccounts(access)).toEqual({ accounts: [], unreported: ['a1'] });
    expect(calls).toEqual(['fake fetchAccounts ok']);
    expect(seconds[0]).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['its cause', new ProviderFailure('institution_down', 'canary'), 'institution_down'],
    ['that the caller left', new DOMException('left', 'AbortError'), 'aborted'],
    ['an error that the contract does not allow', new Error('canary'), 'error'],
  ])('report a call that fails with %s, and rethrow it', async (_what, error, outcome) => {
    const provider = observed({ fetchAccounts: () => Promise.reject(error) });
    await expect(provider.fetchAccounts(access)).rejects.toBe(error);
    expect(calls).toEqual([`fake fetchAccounts ${outcome}`]);
  });

  it('report a listing once, at the end of its pages', async () => {
    const provider = observed({
      async *fetchTransactions() {
        yield { transactions: [] };
        expect(calls).toEqual([]);
        yield { transactions: [] };
      },
    });
    let pages = 0;
    for await (const page of provider.fetchTransactions?.(access, WINDOW) ?? [])
      pages += 1 + page.transactions.length;
    expect({ pages, calls }).toEqual({ pages: 2, calls: ['fake fetchTransactions ok'] });
  });

  it('report a listing that fails on a later page', async () => {
    const provider = observed({
      async *fetchTransactions() {
        yield { transactions: [] };
        throw new ProviderFailure('rate_limited', 'canary');
      },
    });
    const read = async () => {
      for await (const page of provider.fetchTransactions?.(access, WINDOW) ?? [])
        expect(page.transactions).toEqual([]);
    };
    await expect(read()).rejects.toMatchObject({ providerCause: 'rate_limited' });
    expect(calls).toEqual(['fake fetchTransactions rate_limited']);
  });

  it('have the capabilities and facts of the provider, and one identity', () => {
    const provider = observed({});
    expect(provider.fetchTransactions).toBeUndefined();
    expect(provider.facts).toBe(GENEROUS_FACTS);
    expect(provider.institutions()).toEqual([]);
    expect(calls).toEqual([]);
  });
});
