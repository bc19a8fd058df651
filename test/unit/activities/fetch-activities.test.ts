import { StaleRefreshRun } from '../../../domain/errors/change-refused.js';
import { Decimal } from 'decimal.js';
import {
  createFetchActivities,
  type FetchResult,
} from '../../../activities/refresh/fetch-activities.js';
import type { Product } from '../../../domain/link/products.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { FetchAccess } from '../../../prisma/work/refresh/fetch-access.js';
import type {
  Provider,
  ProviderFacts,
  ProviderAccount,
  ProviderTransaction,
  ProviderTransactionPage,
} from '../../../providers/contract/provider.js';
import { quietEnvironment } from '../../support/fixtures/quiet-environment.js';
import { GENEROUS_FACTS, KEYS_WORK } from '../../support/fixtures/provider-calls.js';
import { NO_SERVICES } from '../../support/fixtures/link-services.js';

const WINDOW = { from: '2026-01-01', to: '2026-03-31' };
const rows = (from: number, count: number): ProviderTransaction[] =>
  Array.from({ length: count }, (_, index) => ({
    providerTransactionId: `t${from + index}`,
    providerAccountId: 'a1',
    amount: new Decimal(1),
    type: 'debit',
    currency: 'USD',
    date: '2026-02-01',
    datetime: null,
    description: 'canary',
    rawDescription: null,
    pending: false,
    category: null,
  }));

const ACCOUNT: ProviderAccount = {
  providerAccountId: 'a1',
  accountType: 'depository.checking',
  name: 'Checking',
  mask: '1101',
  currency: 'USD',
  available: null,
  current: null,
  limit: null,
  balanceDate: null,
};

interface Batch {
  rows: number;
  last: boolean;
  window: unknown;
  seen: number;
}

describe('fetchProduct', () => {
  let pages: ProviderTransactionPage[];
  let batches: Batch[];
  let matches: unknown[];
  let access: FetchAccess | null;
  let fetchKeys: (string | undefined)[];
  let ends: unknown[];
  let streamChanges: { mayChangeStreams?: true };
  let streamUpdates: string[];
  let storing: () => void;
  let capabilities: Partial<Provider>;

  const provider: Provider = {
    name: 'fake',
    adapter: 'fake',
    check: () => Promise.resolve(KEYS_WORK),
    facts: GENEROUS_FACTS,
    institutions: () => [],
    begin: () => Promise.reject(new Error('not asked here')),
    fetchAccounts: async ({ fetchKey, products }) => {
      fetchKeys.push(fetchKey);
      expect(products).toEqual(['accounts', 'identity']);
      return { accounts: [ACCOUNT], unreported: [] };
    },
    async *fetchTransactions({ fetchKey }) {
      fetchKeys.push(fetchKey);
      yield* pages;
    },
  };
  const { fetchProduct } = createFetchActivities({
    refresh: {
      access: async (_, product) =>
        access === null ? null : { ...access, fetchKey: `fetch of ${product}` },
      storeInvestments: () => Promise.reject(new Error('not asked here')),
      storeLiabilities: () => Promise.reject(new Error('not asked here')),
      storeAccounts: async (_, __, ___, { permissionEndsAt } = {}) => {
        storing();
        ends.push(permissionEndsAt);
        return { changed: 2 };
      },
      storeAccountNumbers: async () => {
        storing();
        return { changed: 1 };
      },
      storeIdentity: async () => {
        storing();
        return { changed: 4 };
      },
      matchTransactions: async (_, __, { transactions, window }, { postedIdsDiffer }) => {
        matches.push({
          rows: transactions.length,
          window,
          postedIdsDiffer,
          stored: batches.length,
        });
        return { matched: 0, storedIds: new Map() };
      },
      storeTransactions: async (_, __, { transactions, last, window, seenIds }) => {
        storing();
        batches.push({ rows: transactions.length, last, window, seen: seenIds.length });
        const stored = { created: transactions.length, updated: 0, removed: last ? 3 : 0 };
        return last ? { ...stored, ...streamChanges } : stored;
      },
    },
    providers: { get: () => ({ ...provider, ...capabilities }) },
    updateStreams: async (linkId) => void streamUpdates.push(linkId),
    ...NO_SERVICES,
  });
  const fetchOf = (product: Product): Promise<FetchResult> =>
    quietEnvironment().run(fetchProduct, {
      linkId: 'mk_1',
      run: '1',
      product,
      window: product === 'transactions' ? WINDOW : null,
    });

  beforeEach(() => {
    pages = [];
    batches = [];
    matches = [];
    fetchKeys = [];
    ends = [];
    streamChanges = {};
    streamUpdates = [];
    access = {
      credential: Buffer.from('canary'),
      reference: 'conn_1',
      remoteId: 'remote',
      provider: 'fake',
      products: ['accounts', 'identity'],
      knownAccounts: [],
      accountFacts: new Map(),
      fetchKey: '',
      worldTime: null,
      matchRows: false,
      linkId: 'mk_1',
      edition: { version: 1, createdAt: new Date('2026-01-01T00:00:00Z') },
      isScheduled: false,
      endUser: null,
    };
    storing = () => undefined;
    capabilities = { fetchAccountNumbers: async () => [], fetchIdentity: async () => [] };
  });

  it.each<
    [string, { matchRows: boolean; transactionIds: ProviderFacts['transactionIds'] }, unknown[]]
  >([
    ['the source has kept its ids', { matchRows: false, transactionIds: 'stable' }, []],
    [
      'the link may come from another source',
      { matchRows: true, transactionIds: 'stable' },
      [
        {
          rows: 3,
          window: { from: '2026-02-01', to: '2026-03-31' },
          postedIdsDiffer: false,
          stored: 0,
        },
      ],
    ],
    [
      'the provider changes ids of rows that post',
      { matchRows: false, transactionIds: 'renewed_when_posted' },
      [
        {
          rows: 3,
          window: { from: '2026-02-01', to: '2026-03-31' },
          postedIdsDiffer: true,
          stored: 0,
        },
      ],
    ],
  ])(
    'compares the whole listing with stored rows before storing any of it, unless nothing can have changed: %s',
    async (_when, { matchRows, transactionIds }, expected) => {
      if (access !== null) access = { ...access, matchRows };
      capabilities = { ...capabilities, facts: { ...provider.facts, transactionIds } };
      pages = [
        { transactions: rows(0, 2) },
        { transactions: rows(2, 1), covered: { from: '2026-02-01', to: '2026-03-31' } },
      ];
      await fetchOf('transactions');
      expect(matches).toEqual(expected);
      expect(batches).toHaveLength(1);
    },
  );

  it('stores pages in batches, the last of which states the rows that were covered and seen', async () => {
    pages = [
      { transactions: rows(0, 700) },
      { transactions: rows(700, 700) },
      { transactions: rows(1400, 700), covered: { from: '2026-02-01', to: '2026-03-31' } },
    ];
    expect(await fetchOf('transactions')).toEqual({
      kind: 'stored',
      created: 2100,
      updated: 0,
      removed: 3,
    });
    expect(batches).toEqual([
      { rows: 1000, last: false, window: { from: '2026-02-01', to: '2026-03-31' }, seen: 0 },
      { rows: 1000, last: false, window: { from: '2026-02-01', to: '2026-03-31' }, seen: 0 },
      { rows: 100, last: true, window: { from: '2026-02-01', to: '2026-03-31' }, seen: 2000 },
    ]);
  });

  it('updates the recurring payments of a link after a fetch that may have changed them, and returns counts alone', async () => {
    pages = [{ transactions: rows(0, 1001) }];
    await fetchOf('transactions');
    expect(streamUpdates).toEqual([]);
    streamChanges = { mayChangeStreams: true };
    expect(await fetchOf('transactions')).toEqual({
      kind: 'stored',
      created: 1001,
      updated: 0,
      removed: 3,
    });
    expect(streamUpdates).toEqual(['mk_1']);
  });

  it.each<[title: string, wrong: () => AsyncIterable<ProviderTransactionPage>]>([
    [
      'whose last page is wrong',
      async function* () {
        yield { transactions: rows(0, 2_500) };
        throw new ProviderFailure('malformed', 'the last page');
      },
    ],
    [
      'that does not end',
      async function* () {
        for (let page = 0; ; page += 1) yield { transactions: rows(page * 1_000, 1_000) };
      },
    ],
  ])('stores nothing of a listing %s', async (_title, wrong) => {
    capabilities = { fetchTransactions: wrong };
    await expect(fetchOf('transactions')).rejects.toMatchObject({
      name: 'ProviderFailure',
      providerCause: 'malformed',
    });
    expect(batches).toEqual([]);
  });

  it('treats a list without any account as a fault', async () => {
    capabilities = { fetchAccounts: async () => ({ accounts: [], unreported: [] }) };
    await expect(fetchOf('accounts')).rejects.toMatchObject({ providerCause: 'no_accounts' });
  });

  it('completes a fetch that found nothing, and removes nothing when nothing was covered', async () => {
    pages = [{ transactions: [], covered: null }];
    expect(await fetchOf('transactions')).toMatchObject({ kind: 'stored', created: 0 });
    expect(batches).toEqual([{ rows: 0, last: true, window: null, seen: 0 }]);
  });

  it('stores exactly full batches together with their end', async () => {
    pages = [{ transactions: rows(0, 1000) }];
    await fetchOf('transactions');
    expect(batches).toMatchObject([{ rows: 1000, last: true }]);
  });

  it.each([
    ['accounts', 2],
    ['account_numbers', 1],
    ['identity', 4],
  ] as const)('stores %s', async (product, updated) => {
    expect(await fetchOf(product)).toEqual({ kind: 'stored', created: 0, updated, removed: 0 });
  });

  it.each<[string, Partial<Provider>, unknown]>([
    [
      'the time that the source reports',
      { fetchPermissionEnd: async () => new Date('2026-03-09T00:00:00Z') },
      new Date('2026-03-09T00:00:00Z'),
    ],
    ['its absence', { fetchPermissionEnd: async () => null }, null],
    ['no change without a call to the source', {}, undefined],
    [
      'no change when the source fails',
      { fetchPermissionEnd: () => Promise.reject(new ProviderFailure('institution_down', 'down')) },
      undefined,
    ],
  ])('stores the end of the permission with the accounts: %s', async (_what, able, end) => {
    capabilities = able;
    expect(await fetchOf('accounts')).toMatchObject({ kind: 'stored' });
    await fetchOf('transactions');
    expect(ends).toEqual([end]);
  });

  it('passes the key of the fetch to the provider', async () => {
    await fetchOf('accounts');
    await fetchOf('transactions');
    expect(fetchKeys).toEqual(['fetch of accounts', 'fetch of transactions']);
  });

  it('stops without an error when the run may no longer write or the credential is gone', async () => {
    storing = () => {
      throw new StaleRefreshRun('lnk', 'run');
    };
    expect(await fetchOf('accounts')).toEqual({ kind: 'stale' });
    access = null;
    expect(await fetchOf('accounts')).toEqual({ kind: 'stale' });
  });

  it.each([
    ['account_numbers', { fetchAccountNumbers: undefined }],
    ['identity', { fetchIdentity: undefined }],
    ['transactions', { fetchTransactions: undefined }],
  ] as const)('reports a provider that does not carry %s', async (product, missing) => {
    capabilities = missing as Partial<Provider>;
    await expect(fetchOf(product)).rejects.toBeInstanceOf(ProviderFailure);
    await expect(fetchOf(product)).rejects.toMatchObject({ providerCause: 'not_supported' });
  });
});
