import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import type { Product } from '../../../domain/link/products.js';
import { transactionWindow } from '../../../domain/transactions/fetch-window.js';
import { transitionLink } from '../../../prisma/links/link-transition.js';
import { refreshSubject } from '../../../prisma/refresh/refresh-subject.js';
import type { RefreshCause } from '../../../prisma/refresh/request-refresh.js';
import { releaseHeldEvents } from '../../../prisma/events/announce.js';
import { refreshAfterUpdate } from '../../support/fixtures/fetching-link.js';
import {
  account,
  attemptOf,
  beginFetch,
  fetchRows,
  heldFor,
  openStorage,
  row,
  storeLink,
  announcementsOf,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

describe('A refresh run', () => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await openStorage();
  });
  afterAll(() => storage.close());

  const prisma = () => storage.ctx.database.prisma;
  const request = (link: StoredLink, products: Product[], cause: RefreshCause) =>
    storage.ctx.database.transaction((tx) =>
      storage.refresh.requestProducts(tx, link.pk, products, cause),
    );
  const productOf = (link: StoredLink, product: Product) =>
    prisma().linkProduct.findUniqueOrThrow({
      where: { linkPk_product: { linkPk: link.pk, product } },
    });
  const linkOf = (link: StoredLink) => prisma().link.findUniqueOrThrow({ where: { pk: link.pk } });
  const commandsOf = async (link: StoredLink) =>
    (await prisma().outboxCommand.findMany({ where: { kind: 'startProductRefresh' } })).filter(
      ({ payload }) => (payload as { linkId: string }).linkId === link.linkId,
    ).length;
  const fail = (link: StoredLink, run: string, product: Product, cause: ProviderCause) =>
    storage.refresh.failProduct(link.linkId, run, product, cause);

  it('claims each request once, in the order of the products', async () => {
    const link = await storeLink(storage);
    await request(link, ['transactions'], 'prefetch');
    await request(link, ['transactions', 'accounts'], 'on_demand');
    expect((await productOf(link, 'transactions')).state).toBe('pending');
    expect(await commandsOf(link)).toBe(2);

    const announced = await refreshSubject(storage.ctx, link.linkId);
    const run = await storage.refresh.beginRun(link.linkId);
    expect(announced).toEqual({
      appId: run?.appId,
      environment: run?.environment,
      institutionId: run?.institutionId,
      provider: run?.provider,
      products: run?.products.map(({ product }) => product),
    });
    expect(run).toEqual({
      linkPk: link.pk,
      linkId: link.linkId,
      run: '1',
      provider: 'sandbox',
      remoteId: 'bank-1',
      institutionId: 'test-bank',
      environment: 'sandbox',
      appId: 'pocket-ledger',
      products: [
        { product: 'accounts', window: null, attempt: '1.1' },
        { product: 'transactions', window: transactionWindow(false, new Date()), attempt: '1.1' },
      ],
      granted: ['accounts', 'transactions'],
      joined: [],
    });
  });

  it('has nothing to do when nothing was requested or everything is done', async () => {
    const link = await storeLink(storage);
    expect(await storage.refresh.beginRun(link.linkId)).toBeNull();
    await fetchRows(storage, link, [row('a')]);
    expect(await storage.refresh.beginRun(link.linkId)).toBeNull();
    expect((await linkOf(link)).refreshRun).toBe(1n);
  });

  it('can be started again when the response was lost, and only the last one may write', async () => {
    const link = await storeLink(storage);
    await request(link, ['accounts', 'transactions'], 'prefetch');
    const runs = await Promise.all(
      Array.from({ length: 3 }, () => storage.refresh.beginRun(link.linkId)),
    );
    const products = runs.map((run) => run?.products.map(({ attempt: _, ...rest }) => rest));
    expect(new Set(products.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(runs.map((run) => `${run?.run} ${attemptOf(run, 'accounts')}`).sort()).toEqual([
      '1 1.1',
      '2 2.2',
      '3 3.3',
    ]);
    const started = await Promise.all(
      ['1', '2', '3'].map((run) => storage.refresh.beginProduct(link.linkId, run, 'accounts')),
    );
    expect(started).toEqual([null, null, '3.4']);
  });

  it('starts with all of its products, each under the name of the last run that started', async () => {
    const link = await storeLink(storage);
    await request(link, ['accounts', 'transactions'], 'prefetch');
    const before = await linkOf(link);
    const lost = await storage.refresh.beginRun(link.linkId);
    const run = await storage.refresh.beginRun(link.linkId);
    expect([lost, run].map((each) => each?.products.map(({ attempt }) => attempt))).toEqual([
      ['1.1', '1.1'],
      ['2.2', '2.2'],
    ]);
    for (const product of ['accounts', 'transactions'] as const)
      expect(await productOf(link, product)).toMatchObject({ state: 'in_progress' });
    expect((await linkOf(link)).revision).toBeGreaterThan(before.revision);
    await expect(
      storage.refresh.storeAccounts(link.linkId, '1.1', [account('checking')]),
    ).rejects.toThrow('may not write any more');
    await storage.refresh.storeAccounts(link.linkId, '2.2', [account('checking')]);
    expect((await productOf(link, 'accounts')).state).toBe('completed');
    expect(await storage.refresh.retriedProduct(link.linkId, '2.2', 'transactions')).toBe('2.3');
  });

  it('records an attempt when a fetch starts and when it is retried', async () => {
    const link = await storeLink(storage);
    const run = await beginFetch(storage, link, 'transactions');
    const started = await productOf(link, 'transactions');
    expect(started).toMatchObject({ state: 'in_progress', refreshedAt: null });
    expect(await storage.refresh.retriedProduct(link.linkId, run, 'transactions')).toBe('1.2');
    const retried = await productOf(link, 'transactions');
    expect(Number(retried.lastAttemptedAt)).toBeGreaterThanOrEqual(Number(started.lastAttemptedAt));
    expect(retried.stateChangedAt).toEqual(started.stateChangedAt);
  });

  it('completes the product, dates the link and announces the refresh before the updates', async () => {
    const link = await storeLink(storage);
    const before = (await linkOf(link)).revision;
    await fetchRows(storage, link, [row('a')]);
    expect(await announcementsOf(storage, link)).toEqual([
      'product_refresh transactions completed',
      'updates_available false',
    ]);
    const [product, after] = [await productOf(link, 'transactions'), await linkOf(link)];
    expect(product).toMatchObject({
      state: 'completed',
      errorCode: null,
      errorMessage: null,
      unavailable: null,
      hasHistory: false,
    });
    expect(product.refreshedAt).not.toBeNull();
    expect(after.lastSyncedAt).toEqual(product.refreshedAt);
    expect(after.revision).toBeGreaterThan(before);
  });

  // link-lifecycle 7.5
  it.each<{ cause: RefreshCause; changes: boolean; announced: boolean }>([
    { cause: 'scheduled', changes: false, announced: false },
    { cause: 'scheduled', changes: true, announced: true },
    { cause: 'on_demand', changes: false, announced: true },
    { cause: 'prefetch', changes: false, announced: true },
    { cause: 'relink', changes: false, announced: true },
    { cause: 'sandbox_script', changes: false, announced: true },
  ])(
    'announces after a $cause fetch with changes: $changes the updates: $announced',
    async ({ cause, changes, announced }) => {
      const link = await storeLink(storage);
      await fetchRows(storage, link, [row('a')], { cause: 'scheduled' });
      expect(await announcementsOf(storage, link)).toHaveLength(2); // The first one is always announced.
      await fetchRows(storage, link, changes ? [row('a'), row('b')] : [row('a')], { cause });
      expect((await announcementsOf(storage, link)).slice(2)).toEqual([
        'product_refresh transactions completed',
        ...(announced ? ['updates_available false'] : []),
      ]);
    },
  );

  it('announces rows that an earlier attempt of the same fetch had stored', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [row('a')], { cause: 'scheduled' });
    const run = await beginFetch(storage, link, 'transactions', 'scheduled');
    await storage.refresh.storeTransactions(link.linkId, run, {
      transactions: [row('a'), row('b')],
      last: false,
      window: null,
      seenIds: [],
    });
    const again = await storage.refresh.retriedProduct(link.linkId, run, 'transactions');
    await storage.refresh.storeTransactions(link.linkId, again ?? '', {
      transactions: [row('a'), row('b')],
      last: true,
      window: null,
      seenIds: [],
    });
    expect((await announcementsOf(storage, link)).slice(2)).toEqual([
      'product_refresh transactions completed',
      'updates_available false',
    ]);
  });

  it('counts a fetch as on demand when a request was merged into it, and completes that request', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [row('a')], { cause: 'scheduled' });
    const run = await beginFetch(storage, link, 'transactions', 'scheduled');
    await request(link, ['transactions'], 'on_demand');
    await storage.refresh.storeTransactions(link.linkId, run, {
      transactions: [row('a')],
      last: true,
      window: null,
      seenIds: [],
    });
    expect((await announcementsOf(storage, link)).slice(2)).toEqual([
      'product_refresh transactions completed',
      'updates_available false',
    ]);
    expect(await storage.refresh.beginRun(link.linkId)).toBeNull();
  });

  it('adds requests made in the meantime to the run in progress', async () => {
    const link = await storeLink(storage);
    const run = await beginFetch(storage, link, 'transactions', 'scheduled');
    await request(link, ['accounts', 'transactions'], 'on_demand');
    expect(await storage.refresh.joinRun(link.linkId, run)).toMatchObject({
      run: '1',
      products: [{ product: 'accounts' }],
      joined: ['transactions'],
    });
    // Returned again until the run starts, because the result may have been lost.
    expect(await storage.refresh.joinRun(link.linkId, run)).toMatchObject({
      products: [{ product: 'accounts' }],
      joined: [],
    });
    await storage.refresh.storeTransactions(link.linkId, run, {
      transactions: [row('a')],
      last: true,
      window: null,
      seenIds: [],
    });
    expect(await storage.refresh.beginProduct(link.linkId, run, 'accounts')).toBe('1.1');
    expect(await storage.refresh.joinRun(link.linkId, run)).toBeNull();
  });

  it('fails a product by the name of the run when the name of its attempt was lost', async () => {
    const link = await storeLink(storage);
    const name = await beginFetch(storage, link, 'transactions');
    await request(link, ['accounts'], 'on_demand');
    const joined = await storage.refresh.joinRun(link.linkId, name);
    await storage.refresh.beginProduct(link.linkId, joined?.run ?? '', 'accounts');
    await fail(link, joined?.run ?? '', 'accounts', 'internal');
    expect(await productOf(link, 'accounts')).toMatchObject({
      state: 'failed',
      errorCause: 'internal',
    });
    expect(await announcementsOf(storage, link)).toEqual(['product_refresh accounts failed']);
  });

  it('fetches the recent days first with extend_history, then the whole history, and announces it once it is stored', async () => {
    const link = await storeLink(storage, { extendHistory: true });
    await request(link, ['transactions'], 'prefetch');
    const fetched = async (rows: string[]) => {
      const run = await storage.refresh.beginRun(link.linkId);
      await storage.refresh.storeTransactions(link.linkId, attemptOf(run, 'transactions'), {
        transactions: rows.map((id) => row(id)),
        last: true,
        window: null,
        seenIds: [],
      });
      return run?.products[0];
    };
    expect(await fetched(['a'])).toMatchObject({ window: transactionWindow(false, new Date()) });
    expect(await productOf(link, 'transactions')).toMatchObject({
      state: 'pending',
      hasHistory: false,
    });
    expect(await fetched(['a', 'b'])).toMatchObject({
      window: transactionWindow(true, new Date()),
    });
    expect(await productOf(link, 'transactions')).toMatchObject({
      state: 'completed',
      hasHistory: true,
    });
    expect(await announcementsOf(storage, link)).toEqual([
      'product_refresh transactions completed',
      'updates_available false',
      'product_refresh transactions completed',
      'updates_available true',
    ]);
    expect(await storage.refresh.beginRun(link.linkId)).toBeNull();
    await request(link, ['transactions'], 'on_demand');
    await fetched(['a', 'b']);
    expect((await announcementsOf(storage, link)).slice(4)).toEqual([
      'product_refresh transactions completed',
      'updates_available true',
    ]);
  });

  it('reports the history as missing while its fetch fails, and requests it again', async () => {
    const link = await storeLink(storage, { extendHistory: true });
    await fetchRows(storage, link, [row('a')]);
    const run = await storage.refresh.beginRun(link.linkId);
    await fail(link, attemptOf(run, 'transactions'), 'transactions', 'institution_down');
    expect(await productOf(link, 'transactions')).toMatchObject({
      state: 'failed',
      hasHistory: false,
    });
    await request(link, ['transactions'], 'scheduled');
    expect((await storage.refresh.beginRun(link.linkId))?.products).toMatchObject([
      { window: transactionWindow(true, new Date()) },
    ]);
  });

  it('holds back the events of a link that is not exchanged, in their order', async () => {
    const link = await storeLink(storage, { state: 'awaiting_token_exchange' });
    await fetchRows(storage, link, [row('a')]);
    expect(await announcementsOf(storage, link)).toEqual([]);
    const expected = ['product_refresh transactions completed', 'updates_available false'];
    expect(await heldFor(storage, link)).toEqual(expected);

    await storage.ctx.database.transaction(async (tx) => {
      const { link: exchanged } = await transitionLink(storage.ctx, tx, link.pk, {
        type: 'exchanged',
      });
      await releaseHeldEvents(storage.ctx, tx, exchanged);
    });
    expect(await announcementsOf(storage, link)).toEqual(['state_changed connected', ...expected]);
    expect(await heldFor(storage, link)).toEqual([]);
  });

  it('keeps earlier data when a product fails permanently', async () => {
    const link = await storeLink(storage);
    await fetchRows(storage, link, [row('a')]);
    const earlier = await productOf(link, 'transactions');
    await fail(
      link,
      await beginFetch(storage, link, 'transactions'),
      'transactions',
      'institution_timeout',
    );
    expect(await productOf(link, 'transactions')).toMatchObject({
      state: 'failed',
      errorCode: 'timeout',
      errorMessage: 'The bank did not answer in time.',
      refreshedAt: earlier.refreshedAt,
      unavailable: null,
    });
    expect((await announcementsOf(storage, link)).slice(2)).toEqual([
      'product_refresh transactions failed',
    ]);
    expect((await linkOf(link)).state).toBe('connected');

    await fail(
      link,
      await beginFetch(storage, link, 'transactions'),
      'transactions',
      'not_supported',
    );
    expect(await productOf(link, 'transactions')).toMatchObject({
      errorCode: 'not_supported',
      unavailable: 'The bank does not offer this data.',
    });
    await fetchRows(storage, link, [row('a')]);
    expect(await productOf(link, 'transactions')).toMatchObject({
      state: 'completed',
      errorCode: null,
      errorMessage: null,
      unavailable: null,
    });
  });

  it.each(['in_progress', 'pending'])(
    'ends for every product, also one that is %s, when the permission has expired, and then changes the link',
    async (state) => {
      const link = await storeLink(storage);
      await request(link, ['accounts'], 'on_demand');
      if (state === 'in_progress') await request(link, ['transactions'], 'on_demand');
      const run = await storage.refresh.beginRun(link.linkId);
      const name = attemptOf(run, 'accounts');
      if (state === 'pending') {
        await request(link, ['transactions'], 'on_demand');
        expect(await storage.refresh.joinRun(link.linkId, run?.run ?? '')).toMatchObject({
          products: [{ product: 'transactions' }],
        });
      }
      expect(await productOf(link, 'transactions')).toMatchObject({ state });
      await fail(link, name, 'accounts', 'consent_expired');
      expect(await announcementsOf(storage, link)).toEqual([
        'product_refresh accounts failed',
        'product_refresh transactions failed',
        'state_changed error auth_expired',
      ]);
      expect(await productOf(link, 'transactions')).toMatchObject({
        state: 'failed',
        errorCode: 'auth_expired',
      });
      expect(
        await storage.refresh.beginProduct(link.linkId, run?.run ?? '', 'transactions'),
      ).toBeNull();
      // Announced once, however often the activity is retried.
      await fail(link, name, 'accounts', 'consent_expired');
      expect(await announcementsOf(storage, link)).toHaveLength(3);
    },
  );

  it('fails without changing the link when the permission expires before the exchange', async () => {
    const link = await storeLink(storage, { state: 'awaiting_token_exchange' });
    await fail(
      link,
      await beginFetch(storage, link, 'transactions'),
      'transactions',
      'consent_expired',
    );
    expect((await linkOf(link)).state).toBe('awaiting_token_exchange');
    expect(await heldFor(storage, link)).toEqual(['product_refresh transactions failed']);
  });

  it('restores a failed link when a product succeeded', async () => {
    const link = await storeLink(storage, { state: 'error', errorCode: 'institution_error' });
    const run = await beginFetch(storage, link, 'accounts', 'scheduled');
    await storage.refresh.storeAccounts(link.linkId, run, [account('checking')]);
    expect(await linkOf(link)).toMatchObject({ state: 'connected', errorCode: null });
    expect(await announcementsOf(storage, link)).toEqual([
      'product_refresh accounts completed',
      'state_changed connected',
    ]);
  });

  it('fetches nothing for a link that needs its owner, and leaves no request waiting', async () => {
    const link = await storeLink(storage, { state: 'error', errorCode: 'auth_expired' });
    await request(link, ['transactions'], 'scheduled');
    expect(await storage.refresh.beginRun(link.linkId)).toBeNull();
    expect(await productOf(link, 'transactions')).toMatchObject({
      state: 'failed',
      errorCode: 'auth_expired',
    });
    expect(
      await prisma().refreshRequest.count({ where: { linkPk: link.pk, consumedAt: null } }),
    ).toBe(0);
  });

  describe('once it was lost', () => {
    const later = (ms: number) => new Date(Date.now() + ms);
    beforeAll(() => prisma().outboxCommand.deleteMany());

    it('is started again once when its request waits too long', async () => {
      const link = await storeLink(storage);
      await request(link, ['transactions'], 'prefetch');
      await prisma().outboxCommand.deleteMany();
      await storage.refresh.requeueOverdue(new Date(), 60_000);
      expect(await commandsOf(link)).toBe(0);
      await storage.refresh.requeueOverdue(later(61_000), 60_000);
      await storage.refresh.requeueOverdue(later(62_000), 60_000);
      expect(await commandsOf(link)).toBe(1);
    });

    it.each(['before', 'after'])(
      'is taken over, if it was lost %s the fetch started',
      async (when) => {
        const refresh = when === 'after' ? storage.refresh : refreshAfterUpdate(storage);
        const link = await storeLink(storage);
        await request(link, ['transactions'], 'on_demand');
        await refresh.beginRun(link.linkId);
        expect(await productOf(link, 'transactions')).toMatchObject({
          state: when === 'after' ? 'in_progress' : 'pending',
        });
        await prisma().outboxCommand.deleteMany();

        await storage.refresh.requeueOverdue(new Date(), 60_000);
        expect(await commandsOf(link)).toBe(0);
        await storage.refresh.requeueOverdue(later(61_000), 60_000);
        expect(await commandsOf(link)).toBe(1);

        const again = await refresh.beginRun(link.linkId);
        expect(again).toMatchObject({ products: [{ product: 'transactions' }] });
        const name =
          again?.products[0]?.attempt ??
          (await refresh.beginProduct(link.linkId, again?.run ?? '', 'transactions'));
        expect(name).toBe(when === 'after' ? '2.2' : '2.1');
        await storage.refresh.storeTransactions(link.linkId, name ?? '', {
          transactions: [row('a')],
          last: true,
          window: null,
          seenIds: [],
        });
        expect(await announcementsOf(storage, link)).toEqual([
          'product_refresh transactions completed',
          'updates_available false',
        ]);
      },
    );
  });

  it('opens the credential of the link for the product in progress', async () => {
    const link = await storeLink(storage);
    const run = await beginFetch(storage, link, 'transactions');
    expect(await storage.refresh.access(link.linkId, 'transactions')).toBeNull();
    await storage.ctx.database.transaction(async (tx) => {
      const at = { table: 'provider_credentials', column: 'sealed', row: link.linkId };
      const sealed = await storage.ctx.sealer.sealUnder(
        tx,
        `credential/${link.linkId}`,
        at,
        Buffer.from('opened'),
      );
      await tx.providerCredential.create({
        data: {
          linkPk: link.pk,
          provider: 'sandbox',
          reference: 'ref',
          sealed: Uint8Array.from(sealed),
        },
      });
    });
    const access = await storage.refresh.access(link.linkId, 'transactions');
    expect(access).toMatchObject({ provider: 'sandbox', remoteId: 'bank-1' });
    expect(Buffer.from(access?.credential ?? []).toString()).toBe('opened');
    expect(await storage.refresh.access(link.linkId, 'accounts')).toBeNull();

    // A fetch keeps its key across attempts and takeovers; the next fetch has another key.
    await storage.refresh.retriedProduct(link.linkId, run, 'transactions');
    const again = await storage.refresh.beginRun(link.linkId);
    expect((await storage.refresh.access(link.linkId, 'transactions'))?.fetchKey).toBe(
      access?.fetchKey,
    );
    await storage.refresh.storeTransactions(link.linkId, attemptOf(again, 'transactions'), {
      transactions: [],
      last: true,
      window: null,
      seenIds: [],
    });
    expect(await storage.refresh.access(link.linkId, 'transactions')).toBeNull();
    await beginFetch(storage, link, 'transactions');
    expect((await storage.refresh.access(link.linkId, 'transactions'))?.fetchKey).not.toBe(
      access?.fetchKey,
    );
  });
});
