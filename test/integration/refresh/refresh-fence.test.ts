import { StaleRefreshRun } from '../../../domain/errors/change-refused.js';
import { transitionLink } from '../../../prisma/links/link/link-transition.js';
import {
  account,
  attemptOf,
  beginFetch,
  currentRows,
  row,
  storeLink,
  announcementsOf,
  versionsOf,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

const prisma = () => storage.ctx.database.prisma;
const rows = (...ids: string[]) => ({
  transactions: ids.map((id) => row(id)),
  last: true,
  window: null,
  seenIds: [],
});
const store = (link: StoredLink, name: string, ...ids: string[]) =>
  storage.refresh.storeTransactions(link.linkId, name, rows(...ids));
const request = (link: StoredLink) =>
  storage.ctx.database.transaction((tx) =>
    storage.refresh.requestProducts(tx, link.pk, ['transactions'], 'on_demand'),
  );
const retry = async (link: StoredLink, name: string) =>
  (await storage.refresh.retriedProduct(link.linkId, name, 'transactions')) ?? '';

describe('A worker that resumes after its timeout', () => {
  it('cannot write once the next attempt has started, neither a batch nor the end', async () => {
    const link = await storeLink(storage);
    const late = await beginFetch(storage, link, 'transactions');
    const current = await retry(link, late);
    await expect(
      storage.refresh.storeTransactions(link.linkId, late, { ...rows('late'), last: false }),
    ).rejects.toThrow(StaleRefreshRun);
    await expect(store(link, late, 'late')).rejects.toThrow(StaleRefreshRun);
    expect(await announcementsOf(storage, link)).toEqual([]);
    await store(link, current, 'current');
    expect(
      (await currentRows(storage, link)).map(({ providerTransactionId }) => providerTransactionId),
    ).toEqual(['current']);
  });

  it('cannot complete the next fetch of the same run', async () => {
    const link = await storeLink(storage);
    const late = await beginFetch(storage, link, 'transactions');
    await store(link, await retry(link, late), 'a');
    await request(link);
    const joined = await storage.refresh.joinRun(link.linkId, '1');
    const next = await storage.refresh.beginProduct(link.linkId, joined?.run ?? '', 'transactions');
    await expect(store(link, late, 'late')).rejects.toThrow(StaleRefreshRun);
    await store(link, next ?? '', 'a', 'b');
    expect(await currentRows(storage, link)).toHaveLength(2);
  });

  it('cannot fail the next fetch of the same run or start an attempt of it', async () => {
    const link = await storeLink(storage);
    const late = await beginFetch(storage, link, 'transactions');
    await storage.refresh.failProduct(link.linkId, late, 'transactions', 'institution_down');
    await request(link);
    const joined = await storage.refresh.joinRun(link.linkId, '1');
    const next =
      (await storage.refresh.beginProduct(link.linkId, joined?.run ?? '', 'transactions')) ?? '';
    const announced = await announcementsOf(storage, link);
    for (const cause of ['institution_down', 'consent_expired'] as const)
      await storage.refresh.failProduct(link.linkId, late, 'transactions', cause);
    expect(await storage.refresh.retriedProduct(link.linkId, late, 'transactions')).toBeNull();
    expect(await announcementsOf(storage, link)).toEqual(announced);
    expect(await prisma().link.findUniqueOrThrow({ where: { pk: link.pk } })).toMatchObject({
      state: 'connected',
    });
    await store(link, next, 'a');
    expect((await announcementsOf(storage, link)).slice(announced.length)).toEqual([
      'product_refresh transactions completed',
      'updates_available false',
    ]);
  });

  it('writes none of the data in progress when its database connection was cut', async () => {
    const link = await storeLink(storage);
    const name = await beginFetch(storage, link, 'transactions');
    const cut = storage.ctx.database.transaction(async (tx) => {
      const [backend] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      await tx.$queryRaw`SELECT pk FROM links WHERE pk = ${link.pk} FOR NO KEY UPDATE`;
      const storing = store(link, name, 'a', 'b');
      await storage.ctx.database.pool.query('SELECT pg_terminate_backend($1)', [backend?.pid]);
      await storing;
      await tx.$queryRaw`SELECT 1`;
    });
    await expect(cut).rejects.toThrow();
    // The lock of the cut connection is gone: the attempt that waited for it was stored completely.
    expect(await currentRows(storage, link)).toHaveLength(2);
    expect(await announcementsOf(storage, link)).toEqual([
      'product_refresh transactions completed',
      'updates_available false',
    ]);
  });
});

describe('Two workers at once', () => {
  it('share one run, whichever starts last', async () => {
    const link = await storeLink(storage);
    await request(link);
    const started = await Promise.all(
      Array.from({ length: 4 }, () => storage.refresh.beginRun(link.linkId)),
    );
    const names = started.map((run) => attemptOf(run, 'transactions'));
    const stored = await Promise.allSettled(names.map((name) => store(link, name, 'a')));
    expect(stored.map(({ status }, index) => `${names[index]} ${status}`).sort()).toEqual([
      '1.1 rejected',
      '2.2 rejected',
      '3.3 rejected',
      '4.4 fulfilled',
    ]);
    expect(await versionsOf(storage, link)).toHaveLength(1);
  });
});

describe('A link that is deleted during a fetch', () => {
  it('receives no row and no event afterwards', async () => {
    const link = await storeLink(storage);
    await storage.ctx.database.transaction((tx) =>
      storage.refresh.requestProducts(tx, link.pk, ['accounts', 'transactions'], 'on_demand'),
    );
    const started = await storage.refresh.beginRun(link.linkId);
    const run = started?.run ?? '';
    const names = {
      accounts: attemptOf(started, 'accounts'),
      transactions: attemptOf(started, 'transactions'),
    };
    await storage.refresh.storeTransactions(link.linkId, names.transactions, {
      ...rows('a'),
      last: false,
    });
    await storage.ctx.database.transaction((tx) =>
      transitionLink(storage.ctx, tx, link.pk, { type: 'delete' }),
    );
    expect(await announcementsOf(storage, link)).toEqual(['state_changed deleted']);

    await expect(store(link, names.transactions, 'b')).rejects.toThrow(StaleRefreshRun);
    await expect(
      storage.refresh.storeAccounts(link.linkId, names.accounts, [account('checking')]),
    ).rejects.toThrow(StaleRefreshRun);
    for (const name of [run, names.accounts])
      await storage.refresh.failProduct(link.linkId, name, 'accounts', 'consent_expired');
    await storage.refresh.finishRun(link.linkId, run, { anySucceeded: true });
    expect(await storage.refresh.retriedProduct(link.linkId, run, 'accounts')).toBeNull();
    expect(await storage.refresh.joinRun(link.linkId, run)).toBeNull();
    expect(await storage.refresh.beginRun(link.linkId)).toBeNull();
    expect(await storage.refresh.access(link.linkId, 'accounts')).toBeNull();

    expect(await announcementsOf(storage, link)).toEqual(['state_changed deleted']);
    expect({
      versions: await versionsOf(storage, link),
      accounts: await prisma().account.count({ where: { linkPk: link.pk } }),
      refreshRequests: await prisma().refreshRequest.count({ where: { linkPk: link.pk } }),
    }).toEqual({ versions: [], accounts: 0, refreshRequests: 0 });
    expect(await prisma().link.findUniqueOrThrow({ where: { pk: link.pk } })).toMatchObject({
      state: 'deleted',
      errorCode: null,
      nextDueAt: null,
    });
  });
});
