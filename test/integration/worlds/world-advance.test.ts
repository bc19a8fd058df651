import { createWorldActivities } from '../../../activities/sandbox/world-activities.js';
import { DEFAULT_REFRESH_RULES } from '../../../prisma/work/refresh/count-run.js';
import { CredentialRepository } from '../../../prisma/sources/permissions/credential.repository.js';
import { storeCredential } from '../../../prisma/sources/permissions/provider-credential.js';
import { WorldAgendaRepository } from '../../../prisma/work/sandbox/world-agenda.repository.js';
import { WorldRunRepository } from '../../../prisma/work/sandbox/world-run.repository.js';
import { WorldRepository } from '../../../prisma/worlds/world.repository.js';
import { quietEnvironment } from '../../support/fixtures/quiet-environment.js';
import {
  storeLink,
  TENANT,
  type StoredLink,
  account,
  row,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';
import { NO_SERVICES } from '../../support/fixtures/link-services.js';
import { representatives } from '../../support/runner/representatives.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { Provider, ProviderAccess } from '../../../providers/contract/provider.js';
import { GENEROUS_FACTS } from '../../support/fixtures/provider-calls.js';

const START = new Date('2026-03-02T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * A bank by the clock of its world. It counts the uses of its faults by fetches, not by attempts.
 */
class BankByTheClock {
  /** The product and the time of every fetch. */
  readonly fetches: string[] = [];
  private readonly struck = new Set<string>();

  constructor(
    private readonly faults: { product: string; count: number }[],
    private readonly permissionEnd: Date | null,
  ) {}

  /** `step` is called before each of its responses. */
  provider(step: () => Promise<void>): Provider {
    const { answerAccounts, answerRows, permissionEnd } = this;
    const provider: Partial<Provider> = {
      name: 'sandbox',
      facts: GENEROUS_FACTS,
      fetchAccounts: async (access) => {
        await step();
        return { accounts: answerAccounts(access), unreported: [] };
      },
      async *fetchTransactions(access) {
        await step();
        yield { transactions: answerRows(access) };
      },
    };
    return {
      ...provider,
      fetchPermissionEnd: () => Promise.resolve(permissionEnd),
    } as unknown as Provider;
  }

  private readonly answerAccounts = (access: ProviderAccess) =>
    this.answer('accounts', access, (day) => [
      account('checking', { name: `Checking on ${day.toISOString().slice(0, 10)}` }),
    ]);

  /** One row is new every twelve hours, and is pending for a day. */
  private readonly answerRows = (access: ProviderAccess) =>
    this.answer('transactions', access, (now) => {
      const made = Math.floor((now.getTime() - START.getTime()) / (12 * HOUR_MS)) + 3;
      return Array.from({ length: made }, (_, index) =>
        row(`t${index}`, {
          date: '2026-03-01',
          description: `row ${index}`,
          pending: index > made - 3,
        }),
      );
    });

  private answer<T>(
    product: string,
    { fetchKey, worldTime }: ProviderAccess,
    make: (now: Date) => T,
  ): T {
    if (!worldTime) throw new Error('the fetch has no time of the world');
    this.fetches.push(`${product} ${worldTime.toISOString()}`);
    const fault = this.faults.find(
      (each) =>
        each.product === product &&
        (each.count > 0 || this.struck.has(`${product}/${fetchKey ?? ''}`)),
    );
    if (fault === undefined) return make(worldTime);
    if (!this.struck.has(`${product}/${fetchKey ?? ''}`)) {
      if (fault.count === 0) return make(worldTime);
      fault.count -= 1;
      this.struck.add(`${product}/${fetchKey ?? ''}`);
    }
    throw new ProviderFailure('institution_down', 'The bank is down.');
  }
}

/**
 * Fails every `every`-th call of the wrapped object, before the call or after it. The calling
 * worker is then lost.
 */
class Losses {
  private calls = 0;
  lost = 0;

  constructor(
    private readonly every: number,
    private readonly when: 'before' | 'after',
  ) {}

  around<T extends object>(part: T): T {
    return new Proxy(part, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || name === 'turnOf') return member;
        return async (...args: unknown[]) => {
          this.calls += 1;
          const isLost = this.calls % this.every === 0;
          if (isLost && this.when === 'before') this.lose();
          const answer: unknown = await Reflect.apply(member, target, args);
          if (isLost) this.lose();
          return answer;
        };
      },
    });
  }

  private lose(): never {
    this.lost += 1;
    throw new Error('the worker was lost');
  }
}

const at = (ms: number) => new Date(START.getTime() + ms);

storageOfFile();

let worlds = 0;

async function newWorld(
  faults: { product: string; count: number }[],
  permissionEnd: Date | null = null,
) {
  const { ctx } = storage;
  const { prisma } = ctx.database;
  worlds += 1;
  const world = { appId: TENANT.appId, worldId: `wld_${worlds}` };
  await prisma.sandboxWorld.create({
    data: { ...world, sourceRef: world.worldId, name: 'march', seed: 7n, now: START },
  });
  const bank = new BankByTheClock(
    faults.map((fault) => ({ ...fault })),
    permissionEnd,
  );
  const links: StoredLink[] = [];
  for (const name of ['first', 'second', 'deleted']) {
    const link = await storeLink(storage, { webhook: null });
    const { customerUserPk } = await prisma.link.update({
      where: { pk: link.pk },
      data: {
        worldId: world.worldId,
        nextDueAt: START,
        ...(name === 'deleted'
          ? { state: 'deleted', deletedAt: at(2 * DAY_MS - 90 * DAY_MS), nextDueAt: null }
          : {}),
      },
    });
    await prisma.$executeRaw`UPDATE customer_users SET user_id = ${name} || '@' || ${world.worldId} WHERE pk = ${customerUserPk}`;
    if (name !== 'deleted')
      await ctx.database.transaction((tx) =>
        storeCredential(ctx, tx, link, {
          provider: 'sandbox',
          reference: name,
          credential: Buffer.from(name),
        }),
      );
    links.push(link);
  }
  return { world, bank, links };
}

type World = Awaited<ReturnType<typeof newWorld>>;

function activitiesOf({ bank }: World, losses: Losses | null) {
  const { ctx } = storage;
  const { schedule } = DEFAULT_REFRESH_RULES;
  const wrap = <T extends object>(part: T): T => losses?.around(part) ?? part;
  const provider = bank.provider(wrap({ step: () => Promise.resolve() }).step);
  // Users of different worlds have different names here, which the random times depend on.
  const agenda = new WorldAgendaRepository(ctx, schedule);
  const turnOf = agenda.turnOf.bind(agenda);
  agenda.turnOf = (link, moment) =>
    turnOf({ ...link, userId: link.userId.split('@')[0] ?? '' }, moment);
  return createWorldActivities({
    runs: wrap(new WorldRunRepository(ctx, { ...DEFAULT_REFRESH_RULES, chance: () => 0.5 })),
    worlds: wrap(new WorldRepository(ctx)),
    agenda: wrap(agenda),
    credentials: new CredentialRepository(ctx),
    providers: { get: () => provider },
    ...NO_SERVICES,
  });
}

/** Advances a world to a moment, with as many workers as it needs. */
async function advance(made: World, to: Date, losses: Losses | null = null): Promise<void> {
  const { world } = made;
  expect(await new WorldRepository(storage.ctx).setTarget(world, to)).toBe('aimed');
  for (let worker = 0; worker < 500; worker += 1) {
    try {
      await quietEnvironment().run(activitiesOf(made, losses).advanceWorld, world);
      return;
    } catch (error) {
      if (!(error instanceof Error && error.message === 'the worker was lost')) throw error;
    }
  }
  throw new Error('the world does not reach its target');
}

/** Everything that can be seen of a world, except for ids. */
async function snapshot({ world, links }: World) {
  const { prisma } = storage.ctx.database;
  const { ran, settled } = await new WorldRepository(storage.ctx).ran(world);
  const now = (await prisma.sandboxWorld.findUniqueOrThrow({ where: { appId_worldId: world } }))
    .now;
  const stories = await Promise.all(
    links.map(async ({ pk, linkId, accounts }) => {
      const strip = (text: string) =>
        [...accounts]
          .reduce((all, [name, id]) => all.replaceAll(id, name), text)
          .replaceAll(linkId, 'link')
          .replace(/"transaction_id":"\w+"/, '')
          .replace(/"webhook_idempotency_key":"[^"]+"/, '');
      const link = await prisma.link.findUnique({
        where: { pk },
        include: {
          products: { orderBy: { position: 'asc' } },
          accounts: { orderBy: { position: 'asc' } },
        },
      });
      const events = await prisma.webhookEvent.findMany({
        where: { linkId },
        orderBy: { pk: 'asc' },
      });
      const versions = await prisma.transactionVersion.findMany({
        where: { linkPk: pk },
        orderBy: { seq: 'asc' },
      });
      return {
        standing: link && [
          link.state,
          link.errorCode,
          link.lastSyncedAt,
          link.nextDueAt,
          link.slowDueAt,
          link.headSeq,
          link.faultyRuns,
        ],
        products: link?.products.map(
          ({ product, state, refreshedAt, lastAttemptedAt, errorCode }) => [
            product,
            state,
            refreshedAt,
            lastAttemptedAt,
            errorCode,
          ],
        ),
        accounts: link?.accounts.map(({ name, closed }) => [name, closed]),
        versions: versions.map(({ seq, nextSeq, postedSeq, removed, body }) => [
          seq,
          nextSeq,
          postedSeq,
          removed,
          strip(body),
        ]),
        events: events.map(({ body }) => strip(body)),
      };
    }),
  );
  return { ran, settled, now, stories };
}

describe('An advance of a world', () => {
  it('runs due work in the order of its time and counts it', async () => {
    const made = await newWorld([], at(3 * DAY_MS));
    await advance(made, at(3 * DAY_MS));
    const { ran, stories, now } = await snapshot(made);
    const [first, , deleted] = stories;
    expect(now).toEqual(at(3 * DAY_MS));
    expect(made.bank.fetches.map((fetch) => fetch.split(' ')[1])).toEqual(
      [...made.bank.fetches].map((fetch) => fetch.split(' ')[1]).sort(),
    );
    expect(ran.scheduled_refreshes).toBe(made.bank.fetches.length / 2);
    expect(ran.scheduled_refreshes).toBeGreaterThan(20);
    expect(ran.events).toBe(stories.flatMap(({ events }) => events).length);
    expect(ran.settled_rows).toBe(
      stories
        .flatMap(({ versions }) => versions)
        .filter(([seq, , postedSeq]) => seq === postedSeq)
        .filter(([, , , , body]) => !String(body).includes('row 0')).length,
    );
    expect(ran.expired_auths).toBe(2);
    expect(first?.standing?.slice(0, 2)).toEqual(['error', 'auth_expired']);
    // 90 days after its deletion.
    expect(deleted?.standing).toBeNull();
  });

  it('notifies clients of both formats of the end of a permission 7 days before it', async () => {
    const end = at(8 * DAY_MS);
    const made = await newWorld([], end);
    const [link, native] = made.links;
    if (link === undefined || native === undefined) throw new Error('a link is missing');
    const { prisma } = storage.ctx.database;
    await prisma.link.update({ where: { pk: link.pk }, data: { webhookFormat: 'plaid' } });
    const notices = async () =>
      (
        await prisma.webhookEvent.findMany({
          where: { linkId: link.linkId, webhookEvent: 'ITEM.PENDING_DISCONNECT' },
        })
      ).map(({ body }) => JSON.parse(body) as unknown);
    await advance(made, at(DAY_MS - 1));
    expect(await notices()).toEqual([]);
    // No fetch is due at that very moment.
    await advance(made, at(DAY_MS));
    expect((await snapshot(made)).ran).toEqual({
      scheduled_refreshes: 0,
      settled_rows: 0,
      expired_auths: 0,
      events: 2,
    });
    expect(
      await prisma.webhookEvent.count({
        where: { linkId: native.linkId, webhookEvent: 'link.permission_expiring' },
      }),
    ).toBe(1);
    expect(await notices()).toMatchObject([
      { item_id: link.linkId, disconnect_time: end.toISOString() },
    ]);
    await advance(made, at(2 * DAY_MS));
    expect(await notices()).toHaveLength(1);
  });

  it('counts its own work, and not earlier work that was in progress', async () => {
    const made = await newWorld([]);
    const [link] = made.links;
    if (link === undefined) throw new Error('there is no link');
    await storage.ctx.database.transaction((tx) =>
      storage.refresh.requestProducts(tx, link.pk, ['transactions'], 'on_demand'),
    );
    await advance(made, at(1_000));
    expect((await snapshot(made)).ran).toEqual({
      scheduled_refreshes: 0,
      settled_rows: 0,
      expired_auths: 0,
      events: 0,
    });
    expect((await snapshot(made)).stories[0]?.events.length).toBe(2);
  });

  const days = process.env['LONG_RUNS'] ? 3 : 2.25;
  const BANKS: [string, { product: string; count: number }[]][] = [
    ['with a sound bank', []],
    [
      'with faults at the bank',
      [
        { product: 'transactions', count: 2 },
        { product: 'accounts', count: 3 },
      ],
    ],
  ];
  // The bank with faults is sound most of the time.
  const disturbed = representatives(BANKS, ([, faults]) => faults.length > 0);
  describe.each(disturbed)('%s', (_, faults) => {
    let undisturbed: Awaited<ReturnType<typeof snapshot>>;
    let fetchCount: number;
    beforeAll(async () => {
      const made = await newWorld(faults, at((days - 0.4) * DAY_MS));
      await advance(made, at(days * DAY_MS));
      undisturbed = await snapshot(made);
      fetchCount = new Set(made.bank.fetches).size;
    });

    it.each([
      [6, 'before'],
      [7, 'after'],
    ] as const)(
      'has the same result when its worker is lost at step %i, %s it',
      async (every, when) => {
        const made = await newWorld(faults, at((days - 0.4) * DAY_MS));
        const losses = new Losses(every, when);
        await advance(made, at(days * DAY_MS), losses);
        expect(losses.lost).toBeGreaterThan(8);
        expect(new Set(made.bank.fetches).size).toBe(fetchCount);
        expect(await snapshot(made)).toEqual(undisturbed);
      },
    );
  });
});
