import { refreshSubject } from '../../../prisma/work/refresh/refresh-subject.js';
import { expectWindowSince } from '../../support/assertions/window-since.js';
import { refreshAfterUpdate } from '../../support/fixtures/fetching-link.js';
import {
  account,
  attemptOf,
  beginFetch,
  fetchRows,
  row,
  storeLink,
  announcementsOf,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';
import { fail, linkOf, prisma, productOf, request } from './support/refresh-runs.js';

storageOfFile();

const commandsOf = async (link: StoredLink) =>
  (await prisma().outboxCommand.findMany({ where: { kind: 'startProductRefresh' } })).filter(
    ({ payload }) => (payload as { linkId: string }).linkId === link.linkId,
  ).length;

describe('A refresh run', () => {
  it('claims each request once, in the order of the products', async () => {
    const link = await storeLink(storage);
    await request(link, ['transactions'], 'prefetch');
    await request(link, ['transactions', 'accounts'], 'on_demand');
    expect((await productOf(link, 'transactions')).state).toBe('pending');
    expect(await commandsOf(link)).toBe(2);

    const announced = await refreshSubject(storage.ctx, link.linkId);
    const since = new Date();
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
        { product: 'transactions', window: expect.anything(), attempt: '1.1' },
      ],
      granted: ['accounts', 'transactions'],
      joined: [],
    });
    expectWindowSince(since, false, run?.products[1]?.window);
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
