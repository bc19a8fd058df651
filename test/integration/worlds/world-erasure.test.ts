import { removeErasedLinks } from '../../../prisma/worlds/erased-links.js';
import { WorldRepository } from '../../../prisma/worlds/world.repository.js';
import {
  fetchRows,
  row,
  storeLink,
  TENANT,
  announcementsOf,
  versionsOf,
  type StoredLink,
  storageOfFile,
  storage,
} from '../../support/fixtures/stored-link.js';

storageOfFile();

const prisma = () => storage.ctx.database.prisma;

async function newWorld(worldId: string) {
  await prisma().sandboxWorld.create({
    data: { appId: TENANT.appId, worldId, sourceRef: worldId, name: '', seed: 7n, now: new Date() },
  });
  return { appId: TENANT.appId, worldId };
}

async function linkIn(world: { worldId: string }, rows: number): Promise<StoredLink> {
  const link = await storeLink(storage);
  await prisma().link.update({ where: { pk: link.pk }, data: { worldId: world.worldId } });
  await fetchRows(storage, link, [row('a'), row('b')]);
  await storage.ctx.database.pool.query(MANY_ROWS, [link.pk, rows, link.linkId]);
  return link;
}

/** Versions of one row, and events with a delivery each. */
const MANY_ROWS = `
  WITH versions AS (
    INSERT INTO transaction_versions (link_pk, seq, next_seq, first_seq, born_pending, removed, transaction_id, account_id,
                                      provider_transaction_id, amount, type, currency, date, pending, content_hash, body)
    SELECT $1::bigint, 1000 + n, 1001 + n, 1000, false, false, 'txn_1', 'acc_1', 'row-1', 1, 'debit', 'USD', '2026-01-01', false, '', '{}'
      FROM generate_series(1, $2::int) AS n
  ), events AS (
    INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256)
    SELECT $3 || '/' || n, 'pocket-ledger', 'sandbox', $3, 'link.product_refresh', $3 || n, 'event', '{}', ''
      FROM generate_series(1, $2::int / 10) AS n
    RETURNING pk, app_id, environment
  )
  INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, url, endpoint, reason, status, attempts, next_attempt_at)
  SELECT 'whd_' || pk, pk, app_id, environment, 'https://app.example/hooks', 'https://app.example:443', 'event', 'pending', 0, now() FROM events`;

describe('A deleted world', () => {
  it('sends nothing more, and none of its links is found by a query or a schedule, however much is stored', async () => {
    const world = await newWorld('wld_large');
    const links = [await linkIn(world, 5_000), await linkIn(world, 5_000)];
    const kept = await linkIn(await newWorld('wld_kept'), 10);
    expect(await new WorldRepository(storage.ctx).erase(world)).toBe(true);
    const left = await Promise.all(links.map((link) => versionsOf(storage, link)));
    expect(left.flat().length).toBeGreaterThan(0);
    for (const { linkId } of links) {
      expect(await prisma().link.findUnique({ where: { linkId } })).toBeNull();
      expect(await storage.refresh.beginRun(linkId)).toBeNull();
      expect(
        await prisma().webhookDelivery.count({ where: { event: { linkId }, status: 'pending' } }),
      ).toBe(0);
      expect(await prisma().dataKey.count({ where: { owner: { endsWith: linkId } } })).toBe(0);
    }
    expect(await prisma().link.count({ where: { ...TENANT, worldId: world.worldId } })).toBe(0);
    expect(await new WorldRepository(storage.ctx).erase(world)).toBe(false);
    expect(await announcementsOf(storage, kept)).not.toEqual([]);
    expect(
      await prisma().webhookDelivery.count({
        where: { event: { linkId: kept.linkId }, status: 'pending' },
      }),
    ).toBeGreaterThan(0);
  });

  it('is erased in bounded transactions that continue where the last one ended', async () => {
    const world = await newWorld('wld_erased');
    await linkIn(world, 12_000);
    const kept = await linkIn(await newWorld('wld_beside'), 10);
    await new WorldRepository(storage.ctx).erase(world);
    let removed: number;
    let transactions = 0;
    do {
      removed = await removeErasedLinks(storage.ctx, { batches: 1 });
      transactions += 1;
      expect(removed).toBeLessThanOrEqual(2_100);
    } while (removed > 0);
    expect(transactions).toBeGreaterThan(2);
    expect(await prisma().link.count({ where: { environment: 'erased' } })).toBe(0);
    const [rows] = await prisma().$queryRaw<{ versions: bigint; events: bigint }[]>`
      SELECT (SELECT count(*) FROM transaction_versions v WHERE NOT EXISTS (SELECT 1 FROM links l WHERE l.pk = v.link_pk)) AS versions,
             (SELECT count(*) FROM webhook_events e WHERE NOT EXISTS (SELECT 1 FROM links l WHERE l.link_id = e.link_id)) AS events`;
    expect(rows).toEqual({ versions: 0n, events: 0n });
    expect(await versionsOf(storage, kept)).not.toEqual([]);
  });
});
