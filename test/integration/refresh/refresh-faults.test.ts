import { refreshAfterUpdate } from '../../support/fixtures/fetching-link.js';
import {
  storeLink,
  announcementsOf,
  type LinkOptions,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';
import { DOWN, linkOf, type Outcomes, run, runs, standing } from './support/faulty-runs.js';

storageOfFile();

/** The `link.state_changed` events of the link, abbreviated. */
const changes = async (link: StoredLink) =>
  (await announcementsOf(storage, link)).filter((announced) =>
    announced.startsWith('state_changed'),
  );

describe('link-lifecycle 6.3, the cells of fetches: one event for each ✉, none for each —', () => {
  const FAULTS = {
    institution_error: 'institution_down',
    provider_error: 'provider_down',
    system_error: 'internal',
  } as const;
  const kinds = Object.keys(FAULTS) as (keyof typeof FAULTS)[];
  const fault = (errorCode: keyof typeof FAULTS): LinkOptions => ({ state: 'error', errorCode });

  it.each<
    [
      event: string,
      state: string,
      link: LinkOptions,
      outcomes: Outcomes,
      after: string,
      announced: string[],
    ]
  >([
    [
      'auth_lost',
      'awaiting_token_exchange',
      { state: 'awaiting_token_exchange' },
      { transactions: 'consent_expired' },
      'awaiting_token_exchange',
      [],
    ],
    [
      'auth_lost',
      'connected',
      {},
      { transactions: 'consent_expired' },
      'error/auth_expired',
      ['state_changed error auth_expired'],
    ],
    ...kinds.map(
      (kind) =>
        [
          'auth_lost',
          kind,
          fault(kind),
          { transactions: 'consent_expired' } as Outcomes,
          'error/auth_expired',
          ['state_changed error auth_expired'],
        ] as [string, string, LinkOptions, Outcomes, string, string[]],
    ),
    [
      'fetch_faulty',
      'awaiting_token_exchange',
      { state: 'awaiting_token_exchange' },
      DOWN,
      'awaiting_token_exchange',
      [],
    ],
    ...kinds.map(
      (kind) =>
        [
          `fetch_faulty(${kind})`,
          'connected',
          {},
          { accounts: FAULTS[kind], transactions: FAULTS[kind] } as Outcomes,
          `error/${kind}`,
          [`state_changed error ${kind}`],
        ] as [string, string, LinkOptions, Outcomes, string, string[]],
    ),
    ...kinds.map(
      (kind) =>
        [
          `fetch_faulty(${kind})`,
          kind,
          fault(kind),
          { accounts: FAULTS[kind] } as Outcomes,
          `error/${kind}`,
          [],
        ] as [string, string, LinkOptions, Outcomes, string, string[]],
    ),
    [
      'fetch_faulty(provider_error)',
      'institution_error',
      fault('institution_error'),
      { accounts: 'rate_limited' },
      'error/provider_error',
      ['state_changed error provider_error'],
    ],
    [
      'fetch_recovered',
      'awaiting_token_exchange',
      { state: 'awaiting_token_exchange' },
      { accounts: 'stored' },
      'awaiting_token_exchange',
      [],
    ],
    ['fetch_recovered', 'connected', {}, { accounts: 'stored' }, 'connected', []],
    ...kinds.map(
      (kind) =>
        [
          'fetch_recovered',
          kind,
          fault(kind),
          { accounts: 'stored', transactions: 'institution_down' } as Outcomes,
          'connected',
          ['state_changed connected'],
        ] as [string, string, LinkOptions, Outcomes, string, string[]],
    ),
  ])('%s in %s', async (event, _state, options, outcomes, after, announced) => {
    const link = await storeLink(storage, options);
    await runs(link, event.startsWith('fetch_faulty') ? 3 : 1, outcomes);
    expect(await standing(link)).toBe(after);
    expect(await changes(link)).toEqual(announced);
  });

  it.each(['auth_expired', 'user_error', 'incomplete'])(
    'fetches and changes nothing in error/%s',
    async (errorCode) => {
      const link = await storeLink(storage, { state: 'error', errorCode });
      await storage.ctx.database.transaction((tx) =>
        storage.refresh.requestProducts(tx, link.pk, ['accounts'], 'scheduled'),
      );
      expect(await storage.refresh.beginRun(link.linkId)).toBeNull();
      expect(await changes(link)).toEqual([]);
    },
  );
});

describe('Failed runs', () => {
  it('change the link with the third in a row, and record the reason', async () => {
    const link = await storeLink(storage);
    await runs(link, 2, DOWN);
    expect(await standing(link)).toBe('connected');
    await run(link, DOWN);
    expect(await linkOf(link)).toMatchObject({
      state: 'error',
      errorCode: 'institution_error',
      errorMessage: 'The bank is not reachable at the moment.',
      errorCause: 'institution_down',
      faultyRuns: 3,
    });
    expect((await announcementsOf(storage, link)).slice(-3)).toEqual([
      'product_refresh accounts failed',
      'product_refresh transactions failed',
      'state_changed error institution_error',
    ]);
  });

  // link-lifecycle 6.2: every product tried failed with an institution, provider or system fault.
  it.each<[title: string, between: Outcomes]>([
    ['a success', { accounts: 'stored', transactions: 'stored' }],
    ['a success of one product', { accounts: 'institution_down', transactions: 'stored' }],
    [
      'a failure that is not a fault',
      { accounts: 'institution_down', transactions: 'no_permission' },
    ],
    ['a product the bank does not have', { transactions: 'not_supported' }],
  ])('are counted from the start after %s', async (_title, between) => {
    const link = await storeLink(storage);
    await runs(link, 2, DOWN);
    await run(link, between);
    await runs(link, 2, DOWN);
    expect(await standing(link)).toBe('connected');
    await run(link, DOWN);
    expect(await standing(link)).toBe('error/institution_error');
    expect(await changes(link)).toHaveLength(1);
  });

  it('may fail for different reasons; the first product determines the kind', async () => {
    const link = await storeLink(storage);
    await run(link, { accounts: 'internal' });
    await run(link, { accounts: 'no_accounts' });
    await run(link, { accounts: 'rate_limited', transactions: 'institution_timeout' });
    expect(await standing(link)).toBe('error/provider_error');
  });

  it('end with the success that restores the link, in the transaction of the data', async () => {
    const link = await storeLink(storage);
    await runs(link, 4, DOWN);
    await run(link, { accounts: 'stored' });
    expect((await announcementsOf(storage, link)).slice(-2)).toEqual([
      'product_refresh accounts completed',
      'state_changed connected',
    ]);
    expect(await linkOf(link)).toMatchObject({ state: 'connected', faultyRuns: 0 });
    await runs(link, 2, DOWN);
    expect(await standing(link)).toBe('connected');
  });

  it('do not include a run in which nothing was tried', async () => {
    const link = await storeLink(storage);
    await runs(link, 2, DOWN);
    await storage.ctx.database.transaction((tx) =>
      storage.refresh.requestProducts(tx, link.pk, ['accounts'], 'on_demand'),
    );
    const refresh = refreshAfterUpdate(storage);
    const started = await refresh.beginRun(link.linkId);
    await refresh.finishRun(link.linkId, started?.run ?? '', { anySucceeded: false });
    expect((await linkOf(link)).faultyRuns).toBe(2);
  });
});
