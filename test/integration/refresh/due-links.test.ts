import type { Product } from '../../../domain/link/products.js';
import type { ProviderCause } from '../../../domain/errors/provider-failure.js';
import {
  DueLinkRepository,
  type DueBatch,
} from '../../../prisma/work/refresh/due-link.repository.js';
import { transitionLink } from '../../../prisma/links/link/link-transition.js';
import { loadSql } from '../../../prisma/base/database/load-sql.js';
import {
  attemptOf,
  openStorage,
  storeLink,
  type LinkOptions,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

const HOUR = 3_600_000;
const NOW = new Date('2026-03-02T10:00:00Z');
const RULES = {
  intervals: { fast: 6 * HOUR, slow: 7 * 24 * HOUR },
  jitter: 0.15,
  spreadMs: 60_000,
  chance: () => 0.5,
};
const BATCH: DueBatch = { shard: 0, shards: 1, limit: 100, now: NOW };

let storage: Storage;
let due: DueLinkRepository;
beforeAll(async () => {
  storage = await openStorage(() => NOW);
  due = new DueLinkRepository(storage.ctx, RULES);
});
afterAll(() => storage.close());

const prisma = () => storage.ctx.database.prisma;
beforeEach(async () => {
  await prisma().link.updateMany({ data: { nextDueAt: null } });
  await prisma().outboxCommand.deleteMany();
  await prisma().refreshControl.deleteMany();
});

const ago = (ms: number) => new Date(NOW.getTime() - ms);
const linkOf = (link: StoredLink) =>
  prisma().link.findUniqueOrThrow({
    where: { pk: link.pk },
    include: { products: { orderBy: { position: 'asc' } } },
  });
const hoursUntil = (moment: Date | null) =>
  ((moment?.getTime() ?? Number.NaN) - NOW.getTime()) / HOUR;
const requestsOf = async (link: StoredLink) =>
  (
    await prisma().refreshRequest.findMany({
      where: { linkPk: link.pk },
      orderBy: { product: 'asc' },
    })
  ).map(({ product, cause }) => `${product} ${cause}`);
const commands = async () =>
  (await prisma().outboxCommand.findMany({ where: { kind: 'startProductRefresh' } })).map(
    ({ payload, availableAt }) => ({ linkId: (payload as { linkId: string }).linkId, availableAt }),
  );

/** A link whose refresh is due, with all four products. The slow ones are not due. */
async function dueLink(
  options: LinkOptions & { slowDueAt?: Date | null; worldId?: string } = {},
): Promise<StoredLink> {
  const { slowDueAt = new Date(NOW.getTime() + HOUR), worldId = 'default', ...rest } = options;
  const link = await storeLink(storage, rest);
  const slow = ['identity', 'account_numbers'] as const;
  await prisma().linkProduct.createMany({
    data: slow.map((product, index) => ({
      linkPk: link.pk,
      product,
      position: 2 + index,
      required: false,
      prefetch: false,
      requirePermission: false,
      extendHistory: false,
      state: 'completed',
    })),
  });
  await prisma().link.update({
    where: { pk: link.pk },
    data: { nextDueAt: ago(1_000), slowDueAt, worldId },
  });
  return link;
}

describe('Dispatching due links', () => {
  it('requests accounts and transactions, reschedules the link, and starts its refresh through the outbox', async () => {
    const link = await dueLink();
    expect(await due.dispatch(BATCH)).toEqual({ claimed: 1, asked: 1 });
    expect(await requestsOf(link)).toEqual(['accounts scheduled', 'transactions scheduled']);
    const { nextDueAt, slowDueAt, products } = await linkOf(link);
    expect({ dueInHours: hoursUntil(nextDueAt), slowDueInHours: hoursUntil(slowDueAt) }).toEqual({
      dueInHours: 6,
      slowDueInHours: 1,
    });
    expect(products.map(({ product, state }) => `${product} ${state}`)).toEqual([
      'accounts pending',
      'transactions pending',
      'identity completed',
      'account_numbers completed',
    ]);
    // Spread over the tick, so that a tick causes no burst.
    expect(await commands()).toEqual([
      { linkId: link.linkId, availableAt: new Date(NOW.getTime() + 30_000) },
    ]);
    expect((await storage.refresh.beginRun(link.linkId))?.products).toMatchObject([
      { product: 'accounts' },
      { product: 'transactions' },
    ]);
    expect(
      await prisma().refreshRequest.findMany({
        where: { linkPk: link.pk },
        select: { cause: true },
      }),
    ).toEqual([{ cause: 'scheduled' }, { cause: 'scheduled' }]);
    expect(await due.dispatch(BATCH)).toEqual({ claimed: 0, asked: 0 });
  });

  it('includes the slow products when they are due', async () => {
    const link = await dueLink({ slowDueAt: ago(1) });
    await due.dispatch(BATCH);
    expect(await requestsOf(link)).toHaveLength(4);
    expect(hoursUntil((await linkOf(link)).slowDueAt)).toBe(7 * 24);
  });

  it('requests products that were never requested at once, and products that the bank lacks at the slow pace', async () => {
    const link = await dueLink();
    await prisma().linkProduct.update({
      where: { linkPk_product: { linkPk: link.pk, product: 'identity' } },
      data: { state: null },
    });
    await prisma().linkProduct.update({
      where: { linkPk_product: { linkPk: link.pk, product: 'transactions' } },
      data: { state: 'failed', unavailable: 'The bank does not offer this data.' },
    });
    await due.dispatch(BATCH);
    expect(await requestsOf(link)).toEqual(['accounts scheduled', 'identity scheduled']);
  });

  it('omits products that are not granted', async () => {
    const link = await dueLink({ slowDueAt: ago(1) });
    await prisma().linkProduct.update({
      where: { linkPk_product: { linkPk: link.pk, product: 'identity' } },
      data: { granted: false },
    });
    await due.dispatch(BATCH);
    expect(await requestsOf(link)).not.toContain('identity scheduled');
  });

  it('merges with a fetch that waits or is in progress, and shortens none of its waits', async () => {
    const link = await dueLink();
    await storage.ctx.database.transaction((tx) =>
      storage.refresh.requestProducts(tx, link.pk, ['transactions'], 'on_demand'),
    );
    const run = (await storage.refresh.beginRun(link.linkId))?.run ?? '';
    await due.dispatch(BATCH);
    expect((await linkOf(link)).products[1]).toMatchObject({
      product: 'transactions',
      state: 'in_progress',
    });
    expect(await storage.refresh.joinRun(link.linkId, run)).toMatchObject({
      products: [{ product: 'accounts' }],
      joined: [],
    });
  });

  it('schedules a link that was just connected and requests nothing', async () => {
    const link = await dueLink({ slowDueAt: null });
    expect(await due.dispatch(BATCH)).toEqual({ claimed: 1, asked: 0 });
    expect(await requestsOf(link)).toEqual([]);
    const { nextDueAt, slowDueAt } = await linkOf(link);
    expect(hoursUntil(nextDueAt)).toBeCloseTo(6 * 0.65);
    expect(hoursUntil(slowDueAt)).toBeCloseTo(7 * 24 * 0.65);
  });

  it('skips paused institutions and providers and uses their intervals', async () => {
    const control = { scope: 'institution', name: 'test-bank' };
    const link = await dueLink();
    await prisma().refreshControl.create({
      data: { ...control, pausedUntil: new Date(NOW.getTime() + HOUR) },
    });
    expect(await due.dispatch(BATCH)).toEqual({ claimed: 1, asked: 0 });
    expect(hoursUntil((await linkOf(link)).nextDueAt)).toBeCloseTo(1.45);
    await prisma().refreshControl.update({
      where: { scope_name: control },
      data: { pausedUntil: null, intervalMs: 2 * HOUR },
    });
    await prisma().link.update({ where: { pk: link.pk }, data: { nextDueAt: NOW } });
    expect(await due.dispatch(BATCH)).toEqual({ claimed: 1, asked: 1 });
    expect(hoursUntil((await linkOf(link)).nextDueAt)).toBeCloseTo(2);
  });

  it('claims at most the limit, longest overdue first, each link once, however many dispatchers run', async () => {
    const links = [];
    for (let index = 0; index < 12; index += 1) links.push(await dueLink());
    await prisma().link.update({
      where: { pk: links[7]?.pk ?? 0n },
      data: { nextDueAt: ago(HOUR) },
    });
    expect(await due.dispatch({ ...BATCH, limit: 1 })).toEqual({ claimed: 1, asked: 1 });
    expect((await commands()).map(({ linkId }) => linkId)).toEqual([links[7]?.linkId]);
    const rounds = await Promise.all(
      Array.from({ length: 6 }, () => due.dispatch({ ...BATCH, limit: 4 })),
    );
    expect(rounds.reduce((sum, { claimed }) => sum + claimed, 0)).toBe(11);
    const started = (await commands()).map(({ linkId }) => linkId);
    expect({ started: started.length, distinctStarted: new Set(started).size }).toEqual({
      started: 12,
      distinctStarted: 12,
    });
  });

  it('distributes the links over the shards', async () => {
    for (let index = 0; index < 9; index += 1) await dueLink();
    const claimed = await Promise.all(
      [0, 1, 2].map((shard) => due.dispatch({ ...BATCH, shard, shards: 3 })),
    );
    expect(claimed.map((each) => each.claimed)).toEqual([3, 3, 3]);
  });

  it('stays in one world', async () => {
    const link = await dueLink({ worldId: 'wld_march' });
    expect(await due.dispatch(BATCH)).toMatchObject({ claimed: 0 });
    expect(await due.dispatch({ ...BATCH, worldId: 'wld_march' })).toMatchObject({ claimed: 1 });
    expect(await requestsOf(link)).toHaveLength(2);
  });

  it('skips a locked link and claims it in the next round', async () => {
    const link = await dueLink();
    await storage.ctx.database.transaction(async (tx) => {
      await tx.$queryRaw`SELECT pk FROM links WHERE pk = ${link.pk} FOR NO KEY UPDATE`;
      expect(await due.dispatch(BATCH)).toEqual({ claimed: 0, asked: 0 });
    });
    expect(await due.dispatch(BATCH)).toEqual({ claimed: 1, asked: 1 });
  });
});

describe('The next time of a link in the schedule', () => {
  const change = (link: StoredLink, event: Parameters<typeof transitionLink>[3]) =>
    storage.ctx.database.transaction((tx) => transitionLink(storage.ctx, tx, link.pk, event));

  it.each<
    [
      event: Parameters<typeof transitionLink>[3],
      options: LinkOptions,
      place: 'first times' | 'kept' | 'none',
    ]
  >([
    [{ type: 'exchanged' }, { state: 'awaiting_token_exchange' }, 'first times'],
    [{ type: 'relink_done' }, { state: 'error', errorCode: 'auth_expired' }, 'first times'],
    [{ type: 'fetch_recovered' }, { state: 'error', errorCode: 'system_error' }, 'first times'],
    [{ type: 'fetch_faulty', error: 'provider_error' }, {}, 'kept'],
    [{ type: 'auth_lost' }, {}, 'none'],
    [{ type: 'auth_lost' }, { state: 'error', errorCode: 'provider_error' }, 'none'],
    [{ type: 'delete' }, {}, 'none'],
  ])('after %j of %j: %s', async (event, options, place) => {
    const link = await storeLink(storage, options);
    const kept = {
      nextDueAt: new Date(NOW.getTime() + HOUR),
      slowDueAt: new Date(NOW.getTime() + 9 * HOUR),
    };
    await prisma().link.update({ where: { pk: link.pk }, data: kept });
    await change(link, event);
    const { nextDueAt, slowDueAt } = await linkOf(link);
    expect({ nextDueAt, slowDueAt }).toEqual(
      {
        'first times': { nextDueAt: NOW, slowDueAt: null },
        kept,
        none: { nextDueAt: null, slowDueAt: null },
      }[place],
    );
  });

  it('is delayed further with every failed run and returns with the first success', async () => {
    const link = await dueLink();
    const fail = async (cause: ProviderCause) => {
      await storage.ctx.database.transaction((tx) =>
        storage.refresh.requestProducts(tx, link.pk, ['accounts'] satisfies Product[], 'scheduled'),
      );
      const run = await storage.refresh.beginRun(link.linkId);
      const name = attemptOf(run, 'accounts');
      await storage.refresh.failProduct(link.linkId, name, 'accounts', cause);
      await storage.refresh.finishRun(link.linkId, run?.run ?? '', { anySucceeded: false });
      return hoursUntil((await linkOf(link)).nextDueAt);
    };
    await prisma().link.update({
      where: { pk: link.pk },
      data: { nextDueAt: new Date(NOW.getTime() + 6 * HOUR) },
    });
    expect([await fail('institution_down'), await fail('institution_down')]).toEqual([6, 6]);
    expect([
      await fail('institution_down'),
      await fail('provider_down'),
      await fail('institution_down'),
      await fail('malformed'),
    ]).toEqual([12, 24, 24, 24]);
    await change(link, { type: 'fetch_recovered' });
    expect(await linkOf(link)).toMatchObject({ nextDueAt: NOW, slowDueAt: null });
  });
});

it.each<[what: string, statement: string, types: string, values: string, index: string]>([
  [
    'due links',
    'due-links-claim',
    'timestamptz, text, int, int, int',
    "now() + interval '1 minute', 'default', 0, 1, 100",
    'links_world_id_next_due_at_idx',
  ],
  [
    'clients to be announced of the end of a permission',
    'due-end-notices',
    'text, timestamptz, int',
    "'default', now() + interval '1 minute', 100",
    'links_end_notice',
  ],
])(
  'The schedule finds %s by the index of their times',
  async (_what, statement, types, values, index) => {
    await storage.ctx.database.pool.query(
      `INSERT INTO links (link_id, app_id, environment, client_id, customer_user_pk, institution_id, provider, state, next_due_at, end_notice_due_at)
     SELECT 'mk_' || $1 || n, app_id, environment, client_id, customer_user_pk, institution_id, provider, 'connected', now() + n * interval '1 second', CASE WHEN n % 4 = 0 THEN now() + n * interval '1 second' END
       FROM (SELECT * FROM links LIMIT 1) AS pattern, generate_series(1, 20000) AS n`,
      [statement],
    );
    await storage.ctx.database.pool.query('ANALYZE links');
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      const client = await storage.ctx.database.pool.connect();
      try {
        await client.query(`SET plan_cache_mode = ${mode}`);
        await client.query(`PREPARE tried (${types}) AS ${loadSql(statement)}`);
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN EXECUTE tried (${values})`,
        );
        const plan = rows.map((each) => each['QUERY PLAN']).join('\n');
        expect(plan).toContain(`Index Scan using ${index}`);
        expect(plan).not.toMatch(/Seq Scan|Sort/);
      } finally {
        client.release(true);
      }
    }
  },
);
