import type { LinkProduct } from '../../../prisma/generated/client.js';
import type {
  ProviderFacts,
  UpdateOutcome,
  UpdateRequest,
} from '../../../providers/contract/provider.js';
import { expectWindowSince } from '../../support/assertions/window-since.js';
import {
  refreshesAt,
  storePermittedLink,
  testProvider,
} from '../../support/fixtures/fetching-link.js';
import { GENEROUS_FACTS } from '../../support/fixtures/provider-calls.js';
import {
  attemptOf,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

const DAY_MS = 86_400_000;
storageOfFile();

const prisma = () => storage.ctx.database.prisma;
const linkOf = (link: StoredLink) => prisma().link.findUniqueOrThrow({ where: { pk: link.pk } });
const productOf = (link: StoredLink, product: string): Promise<LinkProduct> =>
  prisma().linkProduct.findUniqueOrThrow({
    where: { linkPk_product: { linkPk: link.pk, product } },
  });
const sourceOf = (facts: Partial<ProviderFacts>) =>
  testProvider({
    facts: { ...GENEROUS_FACTS, ...facts },
    async *fetchTransactions() {
      yield { transactions: [] };
    },
  });

describe('The history of a link', () => {
  const planOf = async (wholeHistory: ProviderFacts['wholeHistory']) => {
    const { refresh, request, fetch } = refreshesAt(storage, sourceOf({ wholeHistory }));
    const link = await storePermittedLink(storage, { extendHistory: true });
    await request(link, ['transactions'], 'prefetch');
    const run = await refresh.beginRun(link.linkId);
    await fetch(link, 'transactions', 'prefetch');
    const causes = await prisma().refreshRequest.findMany({ where: { linkPk: link.pk } });
    return {
      window: run?.products[0]?.window,
      later: causes.map(({ cause }) => cause),
      hasHistory: (await productOf(link, 'transactions')).hasHistory,
    };
  };

  it('is fetched first and at once where it is offered only after the login', async () => {
    const since = new Date();
    const { window, ...plan } = await planOf('after_login');
    expect(plan).toEqual({ later: [], hasHistory: true });
    expectWindowSince(since, true, window);
  });

  it('follows the recent rows elsewhere', async () => {
    const since = new Date();
    const { window, ...plan } = await planOf('any_time');
    expect(plan).toEqual({ later: ['history'], hasHistory: false });
    expectWindowSince(since, false, window);
  });
});

describe('An update before a run', () => {
  it('keeps its state sealed between two calls and forgets it at the end', async () => {
    const asked: (UpdateRequest & { credential: string })[] = [];
    const outcomes: UpdateOutcome[] = [
      { kind: 'pending', state: Buffer.from('canary-job'), askAgainAfterMs: 700 },
      { kind: 'done' },
    ];
    const provider = testProvider({
      update: ({ credential }, request) => {
        asked.push({ ...request, credential: Buffer.from(credential).toString() });
        return Promise.resolve(outcomes.shift() ?? { kind: 'done' });
      },
    });
    const { refresh, request, update } = refreshesAt(storage, provider);
    const link = await storePermittedLink(storage);
    await request(link, ['accounts', 'transactions'], 'scheduled');
    await request(link, ['transactions'], 'on_demand');
    const plan = await refresh.beginRun(link.linkId);
    expect(plan?.updatesFirst).toBe(true);
    // They start around the update.
    expect(plan?.products.map(({ attempt }) => attempt)).toEqual([undefined, undefined]);
    const { run } = plan ?? { run: '' };

    expect(await update(link, run, true)).toEqual({ kind: 'pending', askAgainAfterMs: 700 });
    const stateOf = async () =>
      (await prisma().providerCredential.findUniqueOrThrow({ where: { linkPk: link.pk } }))
        .updateState;
    expect(Buffer.from((await stateOf()) ?? []).includes('canary-job')).toBe(false);
    expect(await stateOf()).not.toBeNull();
    expect(await update(link, run, false)).toEqual({ kind: 'done' });
    expect(await stateOf()).toBeNull();

    const both = {
      products: ['accounts', 'transactions'],
      wholeHistory: false,
      cause: 'on_demand',
      credential: 'canary-credential',
    };
    expect(asked).toEqual([
      { ...both, state: null },
      { ...both, state: Buffer.from('canary-job') },
    ]);
  });

  it('makes no call to the source for a run that another one replaced', async () => {
    const provider = testProvider({ update: () => Promise.reject(new Error('asked')) });
    const { refresh, request, update } = refreshesAt(storage, provider);
    const link = await storePermittedLink(storage);
    await request(link, ['accounts'], 'scheduled');
    await refresh.beginRun(link.linkId);
    await refresh.beginRun(link.linkId);
    expect(await update(link, '1', true)).toEqual({ kind: 'stale' });
  });
});

describe('A refresh that a source requests', () => {
  const dueAt = new Date(Date.now() + 60_000);
  const later = new Date(Date.now() + DAY_MS);
  const scheduledLink = async () => {
    const link = await storePermittedLink(storage);
    await prisma().link.update({
      where: { pk: link.pk },
      data: { nextDueAt: dueAt, slowDueAt: later },
    });
    return link;
  };
  const { refresh, request, fetch } = {
    refresh: (facts: Partial<ProviderFacts> = {}) => refreshesAt(storage, sourceOf(facts)).refresh,
    request: (...of: Parameters<ReturnType<typeof refreshesAt>['request']>) =>
      refreshesAt(storage, sourceOf({})).request(...of),
    fetch: (...of: Parameters<ReturnType<typeof refreshesAt>['fetch']>) =>
      refreshesAt(storage, sourceOf({})).fetch(...of),
  };
  const ask = (
    link: StoredLink,
    products: readonly ('accounts' | 'transactions' | 'identity')[],
    facts: Partial<ProviderFacts> = {},
  ) =>
    storage.ctx.database.transaction((tx) =>
      refresh(facts).requestProviderRefresh(tx, link.pk, products),
    );

  it('uses up no limit of an app and moves the next scheduled refresh', async () => {
    const link = await scheduledLink();
    expect(await ask(link, ['accounts', 'transactions'])).toBe(true);
    expect((await productOf(link, 'transactions')).requestedAt).toBeNull();
    expect(Number((await linkOf(link)).nextDueAt)).toBeGreaterThan(Date.now() + 5 * 3_600_000);
    expect((await refresh().beginRun(link.linkId))?.products).toHaveLength(2);
  });

  it('is merged with pending requests, and is one run however often it is requested', async () => {
    const link = await scheduledLink();
    await request(link, ['transactions'], 'scheduled');
    for (let time = 0; time < 3; time += 1) await ask(link, ['transactions']);
    expect((await refresh().beginRun(link.linkId))?.products).toHaveLength(1);
    await fetch(link, 'transactions');
    expect(await refresh().beginRun(link.linkId)).toBeNull();
  });

  it('does not move the schedule if it does not fetch everything that is due', async () => {
    const link = await scheduledLink();
    await ask(link, ['transactions']);
    expect((await linkOf(link)).nextDueAt).toEqual(dueAt);
  });

  it('moves the schedule no closer than the quota of the source allows', async () => {
    const link = await scheduledLink();
    const daily = { per: 'permission' as const, limit: 3, windowSeconds: 86_400, reserve: 1 };
    const quotas = [{ ...daily, name: 'reads', unattendedOnly: false }];
    await ask(link, ['accounts', 'transactions'], { quotas });
    expect(Number((await linkOf(link)).nextDueAt)).toBeGreaterThanOrEqual(
      Date.now() + DAY_MS / 2 - 600_000,
    );
  });

  it('does nothing for a link that waits for its owner, or lacks the product', async () => {
    const link = await scheduledLink();
    expect(await ask(link, ['identity'])).toBe(false);
    await prisma().link.update({
      where: { pk: link.pk },
      data: { state: 'error', errorCode: 'auth_expired' },
    });
    expect(await ask(link, ['transactions'])).toBe(false);
  });
});

describe('A product for which the quota of its source left no call', () => {
  const until = new Date('2026-12-01T10:15:32Z');
  /** A run whose only product fails, as the workflow reports it. */
  const failingRun = async (link: StoredLink, cause: 'rate_limited' | 'institution_down') => {
    const { refresh, request } = refreshesAt(storage, sourceOf({}));
    await request(link, ['transactions'], 'scheduled');
    const run = await refresh.beginRun(link.linkId);
    if (run === null) throw new Error('the run could not start');
    await refresh.failProduct(
      link.linkId,
      attemptOf(run, 'transactions'),
      'transactions',
      cause,
      cause === 'rate_limited' ? { until, isOurQuota: true } : {},
    );
    await refresh.finishRun(link.linkId, run.run, { anySucceeded: false });
  };

  it('fails with rate_limit and the time at which the limit ends', async () => {
    const link = await storePermittedLink(storage);
    await failingRun(link, 'rate_limited');
    expect(await productOf(link, 'transactions')).toMatchObject({
      state: 'failed',
      errorCode: 'rate_limit',
      errorMessage: 'The data provider asks us to wait until 2026-12-01 10:15:32 UTC.',
    });
  });

  it('is not a fault of the link, and does not hide faults before and after it', async () => {
    const link = await storePermittedLink(storage);
    for (let time = 0; time < 4; time += 1) await failingRun(link, 'rate_limited');
    expect(await linkOf(link)).toMatchObject({ state: 'connected', faultyRuns: 0 });
    await failingRun(link, 'institution_down');
    await failingRun(link, 'rate_limited');
    await failingRun(link, 'institution_down');
    expect(await linkOf(link)).toMatchObject({ state: 'connected', faultyRuns: 2 });
    await failingRun(link, 'institution_down');
    expect(await linkOf(link)).toMatchObject({ state: 'error', errorCode: 'institution_error' });
  });
});
