import { LinkRepository } from '../../../prisma/links/link/link.repository.js';
import {
  beginFetch,
  EVERY_DAY,
  fetchRows,
  openStorage,
  row,
  storeLink,
  TENANT,
  type Storage,
  type StoredLink,
} from '../../support/fixtures/stored-link.js';

const WORLD_NOW = new Date('2026-03-02T10:00:00.000Z');
const REAL_NOW = new Date('2026-11-21T12:00:00.000Z');

let storage: Storage;
let link: StoredLink;

beforeAll(async () => {
  storage = await openStorage(() => REAL_NOW);
  const { prisma } = storage.ctx.database;
  await prisma.sandboxWorld.create({
    data: {
      appId: TENANT.appId,
      worldId: 'wld_march',
      sourceRef: 'wld_march',
      name: 'march',
      seed: 7n,
      now: WORLD_NOW,
    },
  });
  link = await storeLink(storage);
  await prisma.link.update({ where: { pk: link.pk }, data: { worldId: 'wld_march' } });
});

afterAll(async () => {
  await storage.close();
});

async function announced() {
  const events = await storage.ctx.database.prisma.webhookEvent.findMany({
    where: { linkId: link.linkId },
    orderBy: { pk: 'asc' },
    include: { deliveries: true },
  });
  return events.map(({ body, deliveries }) => ({
    ...(JSON.parse(body) as Record<string, unknown>),
    nextAttemptAt: deliveries[0]?.nextAttemptAt,
  }));
}

it('Fetched data and its events have the time of their world', async () => {
  await fetchRows(storage, link, [row('one')], { window: EVERY_DAY });
  const view = await new LinkRepository(storage.ctx).get(TENANT, link.linkId);
  const transactions = view?.products.find(({ product }) => product === 'transactions');
  expect(view).toMatchObject({ now: WORLD_NOW, lastSyncedAt: WORLD_NOW });
  expect(transactions).toMatchObject({ refreshedAt: WORLD_NOW, lastAttemptedAt: WORLD_NOW });
  expect(await announced()).toMatchObject([
    {
      webhook_event: 'link.product_refresh',
      state_changed_at: '2026-03-02T10:00:00.000+00:00',
      webhook_timestamp: '2026-03-02T10:00:00.000+00:00',
      nextAttemptAt: REAL_NOW,
    },
    {
      webhook_event: 'transactions.updates_available',
      webhook_timestamp: '2026-03-02T10:00:00.000+00:00',
      nextAttemptAt: REAL_NOW,
    },
  ]);
});

it('Fetches request days that end with today in the world', async () => {
  await storage.ctx.database.transaction((tx) =>
    storage.refresh.requestProducts(tx, link.pk, ['transactions'], 'scheduled'),
  );
  const run = await storage.refresh.beginRun(link.linkId);
  expect(run?.products[0]?.window).toEqual({ from: '2025-12-03', to: '2026-03-02' });
});

it('A permission renewed during a fetch is recognized by real time, which never stops', async () => {
  const run = await beginFetch(storage, link, 'accounts', 'scheduled');
  await storage.ctx.database.prisma.providerCredential.create({
    data: {
      linkPk: link.pk,
      provider: 'sandbox',
      reference: 'con_new',
      sealed: new Uint8Array(1),
      createdAt: new Date(REAL_NOW.getTime() + 1),
    },
  });
  await storage.refresh.failProduct(link.linkId, run, 'accounts', 'consent_expired');
  expect(await new LinkRepository(storage.ctx).get(TENANT, link.linkId)).toMatchObject({
    state: 'connected',
  });
});

it('The bare record of a deleted link is kept for 90 days of its world', async () => {
  const links = new LinkRepository(storage.ctx);
  await links.delete(TENANT, link.linkId);
  const move = (now: string) =>
    storage.ctx.database.prisma.sandboxWorld.update({
      where: { sourceRef: 'wld_march' },
      data: { now: new Date(now) },
    });
  await move('2026-05-31T09:59:59Z');
  expect(await links.get(TENANT, link.linkId)).toMatchObject({ state: 'deleted' });
  await move('2026-05-31T10:00:00Z');
  expect(await links.get(TENANT, link.linkId)).toBeNull();
  expect(await links.linkOwnership(TENANT, link.linkId)).toBe('unknown');
});
