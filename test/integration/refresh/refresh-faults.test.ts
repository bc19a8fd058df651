import { StaleRefreshRun } from '../../../domain/errors/change-refused.js';
import type { Product } from '../../../domain/link/products.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import { type RefreshRepository } from '../../../prisma/refresh/refresh.repository.js';
import { refreshAfterUpdate } from '../../support/fixtures/fetching-link.js';
import {
  account,
  openStorage,
  row,
  storeLink,
  announcementsOf,
  versionsOf,
  type LinkOptions,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

type Outcome = ProviderCause | 'stored';
type Outcomes = Partial<Record<Product, Outcome>>;

let storage: Storage;
beforeAll(async () => {
  storage = await openStorage();
});
afterAll(() => storage.close());

const linkOf = (link: StoredLink) =>
  storage.ctx.database.prisma.link.findUniqueOrThrow({ where: { pk: link.pk } });
const standing = async (link: StoredLink) => {
  const { state, errorCode } = await linkOf(link);
  return errorCode === null ? state : `${state}/${errorCode}`;
};
/** The `link.state_changed` events of the link, abbreviated. */
const changes = async (link: StoredLink) =>
  (await announcementsOf(storage, link)).filter((announced) =>
    announced.startsWith('state_changed'),
  );

/**
 * The step of a run that is performed twice, because the worker was killed before its result
 * arrived.
 */
interface Loss {
  at: number;
  taken: number;
}

/** A whole run that tries these products, as the workflow would. */
async function run(link: StoredLink, outcomes: Outcomes): Promise<void> {
  await ask(link, outcomes);
  await workOff(link, outcomes);
}

async function ask(link: StoredLink, outcomes: Outcomes): Promise<void> {
  await storage.ctx.database.transaction((tx) =>
    storage.refresh.requestProducts(tx, link.pk, Object.keys(outcomes) as Product[], 'scheduled'),
  );
}

async function workOff(
  link: StoredLink,
  outcomes: Outcomes,
  loss: Loss = { at: -1, taken: 0 },
  refresh = storage.refresh,
): Promise<void> {
  const take = async <T>(act: () => Promise<T>): Promise<T> => {
    const answer = await act();
    loss.taken += 1;
    return loss.taken - 1 === loss.at ? act() : answer;
  };
  /** As in `fetchProduct`: data that may no longer be written is not a success. */
  const store = (act: () => Promise<unknown>) =>
    take(() =>
      act()
        .then(() => true)
        .catch((error: unknown) => {
          if (!(error instanceof StaleRefreshRun)) throw error;
          return false;
        }),
    );
  let anySucceeded = false;
  const started = await take(() => refresh.beginRun(link.linkId));
  if (started === null) throw new Error('there is nothing to run');
  for (const { product, attempt } of started.products) {
    const name =
      attempt ?? (await take(() => refresh.beginProduct(link.linkId, started.run, product)));
    if (name === null) continue;
    const outcome = outcomes[product];
    if (outcome !== 'stored')
      await take(() => refresh.failProduct(link.linkId, name, product, outcome ?? 'internal'));
    else if (product === 'accounts')
      anySucceeded =
        (await store(() => refresh.storeAccounts(link.linkId, name, [account('checking')]))) ||
        anySucceeded;
    else
      anySucceeded =
        (await store(() =>
          refresh.storeTransactions(link.linkId, name, {
            transactions: [row('t1')],
            last: true,
            window: null,
            seenIds: [],
          }),
        )) || anySucceeded;
  }
  await take(() => refresh.finishRun(link.linkId, started.run, { anySucceeded }));
}

async function runs(link: StoredLink, times: number, outcomes: Outcomes): Promise<void> {
  for (let time = 0; time < times; time += 1) await run(link, outcomes);
}

const DOWN: Outcomes = { accounts: 'institution_down', transactions: 'institution_down' };

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

/** Everything that an app can see of it, and the counts. */
async function shownOf(link: StoredLink) {
  const { faultyRuns } = await linkOf(link);
  const products = await storage.ctx.database.prisma.linkProduct.findMany({
    where: { linkPk: link.pk },
    orderBy: { position: 'asc' },
  });
  return {
    standing: await standing(link),
    faultyRuns,
    announced: await announcementsOf(storage, link),
    rows: (await versionsOf(storage, link)).length,
    products: products.map(({ product, state, errorCode, refreshedAt }) => [
      product,
      state,
      errorCode,
      refreshedAt === null,
    ]),
  };
}

describe('A run whose worker is killed', () => {
  const PLANS: [string, Outcomes][] = [
    ['a sound bank', { accounts: 'stored', transactions: 'stored' }],
    ['a bank that is down', DOWN],
    ['a bank that provides one product', { accounts: 'institution_down', transactions: 'stored' }],
    ['an expired permission', { accounts: 'stored', transactions: 'consent_expired' }],
  ];

  /** The reads of the source, and the steps, of the run and of both of its products. */
  const SOURCES: [string, (storage: Storage) => RefreshRepository, steps: number][] = [
    ['read at once', ({ refresh }) => refresh, 2 + 2],
    ['updated first', refreshAfterUpdate, 2 + 4],
  ];

  // Already down twice: a run that counted twice, or not at all, would be visible in the state of
  // the link.
  it.each(
    SOURCES.flatMap(([source, refreshOf, steps]) =>
      PLANS.map(([plan, outcomes]) => [plan, source, outcomes, refreshOf, steps] as const),
    ),
  )(
    'has the same result as an undisturbed run when it is killed after any step, with %s and a source that is %s',
    async (_plan, _source, outcomes, refreshOf, steps) => {
      const refresh = refreshOf(storage);
      const quiet = await storeLink(storage);
      await runs(quiet, 2, DOWN);
      await ask(quiet, outcomes);
      const whole: Loss = { at: -1, taken: 0 };
      await workOff(quiet, outcomes, whole, refresh);
      const undisturbed = await shownOf(quiet);
      expect(whole.taken).toBe(steps);
      for (let at = 0; at < whole.taken; at += 1) {
        const link = await storeLink(storage);
        await runs(link, 2, DOWN);
        await ask(link, outcomes);
        await workOff(link, outcomes, { at, taken: 0 }, refresh);
        expect({ at, ...(await shownOf(link)) }).toEqual({ at, ...undisturbed });
      }
    },
  );
});
