import pg from 'pg';
import { problemOf } from '../../../activities/linking/begin-login-activities.js';
import { BoundReached } from '../../../domain/limits/app-bounds.js';
import { removeOldSessions } from '../../../prisma/links/sessions/session-retention.js';
import { AppUseRepository } from '../../../prisma/tenants/usage/app-use.repository.js';
import { removeUnusedUsers } from '../../../prisma/views/users/user-retention.js';
import { removeErasedLinks } from '../../../prisma/worlds/erased-links.js';
import { WorldRepository } from '../../../prisma/worlds/world.repository.js';
import {
  ATTEMPT,
  connectedLink,
  MINUTE,
  openedSession,
  openStore,
  openStores,
  type Store,
} from '../../support/fixtures/linking-store.js';
import {
  currentRows,
  fetchRows,
  openStorage,
  row,
  storeLink,
  TENANT,
  versionsOf,
  type Storage,
} from '../../support/fixtures/stored-link.js';

const DAY = 24 * 60 * MINUTE;
const used = async (ctx: Storage['ctx'], bound: string) =>
  (await new AppUseRepository(ctx).ofApp(TENANT.appId)).find(
    (use) => use.environment === 'sandbox' && use.bound === bound,
  )?.used;

describe('The rows of a bank', () => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await openStorage();
  });
  afterAll(() => storage?.close());

  it('are stored and counted past the bound, at which requests of the app are refused', async () => {
    const use = new AppUseRepository(storage.ctx);
    await use.setLimit(TENANT, 'rows', 1);
    const link = await storeLink(storage);
    await fetchRows(storage, link, [row('a'), row('b'), row('c')]);
    expect(await currentRows(storage, link)).toHaveLength(3);
    expect(await used(storage.ctx, 'rows')).toBe(3);
    await expect(use.take(TENANT, {}, { rows: 1 })).rejects.toThrow(BoundReached);

    await fetchRows(storage, link, [row('a', { description: 'Changed' })]);
    expect(await versionsOf(storage, link)).toHaveLength(6);
    expect(await used(storage.ctx, 'rows')).toBe(6);
  });

  it('execute no statement to count them when they did not change', async () => {
    const link = await storeLink(storage);
    const rows = [row('x'), row('y')];
    await fetchRows(storage, link, rows);
    const texts: string[] = [];
    const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
    jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const [asked] = args;
      texts.push(typeof asked === 'string' ? asked : ((asked as { text?: string })?.text ?? ''));
      return original.apply(this, args);
    } as never);
    await fetchRows(storage, link, rows);
    expect(texts.some((text) => text.includes('unnest($2::text[], $3::text[]'))).toBe(true);
    expect(texts.filter((text) => text.includes('app_use'))).toEqual([]);
    await fetchRows(storage, link, [...rows, row('z')]);
    expect(texts.filter((text) => text.includes('app_use'))).toHaveLength(1);
  });
});

describe('A deleted world', () => {
  it('frees its links at once, and its rows when they are removed', async () => {
    const storage = await openStorage();
    const { ctx } = storage;
    const { prisma } = ctx.database;
    const use = new AppUseRepository(ctx);
    const world = { appId: TENANT.appId, worldId: 'wld_1' };
    await prisma.sandboxWorld.create({
      data: { ...world, sourceRef: 'wld_1', name: '', seed: 7n, now: new Date() },
    });
    const links = [await storeLink(storage), await storeLink(storage)];
    // The fixture stores them without the code that counts.
    await use.take(TENANT, { links: links.length });
    await prisma.link.updateMany({ data: { worldId: world.worldId } });
    for (const link of links) await fetchRows(storage, link, [row('a'), row('b')]);
    expect({ links: await used(ctx, 'links'), rows: await used(ctx, 'rows') }).toEqual({
      links: 2,
      rows: 4,
    });

    await new WorldRepository(ctx).erase(world);
    expect(await used(ctx, 'links')).toBe(0);
    while ((await removeErasedLinks(ctx, { batches: 1 })) > 0);
    expect(await used(ctx, 'rows')).toBe(0);
    await storage.close();
  });
});

describe('The links of an app', () => {
  let store: Store;
  openStores((opened) => {
    store = opened;
  });

  it('stay within LINKS_PER_APP when two users sign in at the last place, and one is shown the reason', async () => {
    const use = new AppUseRepository(store.ctx);
    const sessions = [await openedSession(store), await openedSession(store)];
    await use.setLimit(TENANT, 'links', 1);
    const outcomes = await Promise.allSettled(
      sessions.map(({ sessionId }) => store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT)),
    );
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [problemOf(outcome.reason)] : [],
    );
    expect(refused).toEqual(['connect_error.trial_limit_reached']);
    expect(await store.ctx.database.prisma.link.count()).toBe(1);
    expect(await used(store.ctx, 'links')).toBe(1);
  });

  it('are free again after a failed attempt is removed with its unused user', async () => {
    const { sessionId } = await openedSession(store);
    const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    const { prisma } = store.ctx.database;
    await prisma.link.update({
      where: { linkId },
      data: { state: 'error', errorCode: 'incomplete' },
    });
    await prisma.linkSession.deleteMany();
    store.pass(400 * DAY);
    await removeUnusedUsers(store.ctx, store.ctx.clock(), 400 * DAY, 100);
    expect({ links: await prisma.link.count(), used: await used(store.ctx, 'links') }).toEqual({
      links: 0,
      used: 0,
    });
  });

  it('leave no reasons of their routes behind when their sessions are removed', async () => {
    await connectedLink(store);
    const { prisma } = store.ctx.database;
    expect(await prisma.routeDecision.count()).toBeGreaterThan(0);
    store.pass(90 * DAY);
    await removeOldSessions(store.ctx, new Date(store.ctx.clock().getTime() - 90 * DAY), 100);
    expect(await prisma.routeDecision.count()).toBe(0);
  });
});

describe('The count of a day', () => {
  it('starts again at 00:00 UTC, and is removed later, while the counts of stored data stay', async () => {
    const store = await openStore();
    const use = new AppUseRepository(store.ctx);
    await use.setLimit(TENANT, 'sessions', 1);
    await use.take(TENANT, { sessions: 1, links: 1 });
    const refusal = await use.take(TENANT, { sessions: 1 }).catch((error: unknown) => error);
    // 10:00 UTC.
    expect(refusal).toMatchObject({ bound: 'sessions', retryAfterSeconds: 14 * 3_600 });
    store.pass(14 * 60 * MINUTE);
    await use.take(TENANT, { sessions: 1 });
    expect(await use.removeOld(new Date('2026-03-03T00:00:00Z'))).toBe(1);
    expect({
      sessions: await used(store.ctx, 'sessions'),
      links: await used(store.ctx, 'links'),
    }).toEqual({ sessions: 1, links: 1 });
    await store.close();
  });
});
