import { transitionLink } from '../../../prisma/links/link/link-transition.js';
import type { RefreshCause } from '../../../prisma/work/refresh/request-refresh.js';
import { releaseHeldEvents } from '../../../prisma/announcements/events/announce.js';
import { expectWindowSince } from '../../support/assertions/window-since.js';
import {
  account,
  attemptOf,
  beginFetch,
  fetchRows,
  heldFor,
  row,
  storeLink,
  announcementsOf,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';
import { fail, linkOf, productOf, request } from './support/refresh-runs.js';

storageOfFile();

describe('A refresh run', () => {
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
    const since = new Date();
    expectWindowSince(since, false, (await fetched(['a']))?.window);
    expect(await productOf(link, 'transactions')).toMatchObject({
      state: 'pending',
      hasHistory: false,
    });
    expectWindowSince(since, true, (await fetched(['a', 'b']))?.window);
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
    const since = new Date();
    const again = await storage.refresh.beginRun(link.linkId);
    expect(again?.products).toHaveLength(1);
    expectWindowSince(since, true, again?.products[0]?.window);
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
});
