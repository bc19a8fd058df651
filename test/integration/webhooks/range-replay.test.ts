import { WebhookReplayRepository } from '../../../prisma/announcements/webhook-log/webhook-replay.repository.js';
import { errorOf } from '../../support/services/api-client.js';
import { tenant } from '../../support/services/api-in-process.js';
import { eventually } from '../../support/assertions/eventually.js';
import { storeLink } from './webhook-service.js';
import {
  DOWN,
  EVERYTHING,
  HOUR_MS,
  linkId,
  patch,
  receiver,
  record,
  recordSome,
  replay,
  replayRange,
  sender,
  service,
  show,
  type ShownEvent,
  startReplays,
  token,
} from './support/replay-stage.js';

startReplays();

const statusesOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await show(id)).status));
const keysReceived = () => receiver.verified.map(({ webhook_idempotency_key: key }) => key);
const keyOf = async (eventId: string) =>
  (await service.database.prisma.webhookEvent.findUniqueOrThrow({ where: { eventId } }))
    .idempotencyKey;

describe('A range replay', () => {
  it('delivers everything to a receiver that was down for the whole schedule', async () => {
    receiver.respondWith(DOWN);
    const ids = await recordSome(5);
    await sender.sendAll();
    expect(new Set(await statusesOf(ids))).toEqual(new Set(['exhausted']));
    receiver.respondWith({ status: 204 });
    receiver.received.length = 0;
    expect(await replayRange()).toEqual({ matched: 5, replayed: 5, skipped: 0, dry_run: false });
    await sender.sendAll();
    expect(new Set(await statusesOf(ids))).toEqual(new Set(['delivered']));
    expect(keysReceived()).toEqual(await Promise.all(ids.map(keyOf)));
    expect(await replayRange()).toEqual({ matched: 0, replayed: 0, skipped: 0, dry_run: false });
  });

  it('delivers each event once after 410 disabled the address and PATCH enabled it (webhooks 12, check 6)', async () => {
    receiver.respondWith({ status: 410 });
    const [first = ''] = await recordSome(1);
    await sender.sendAll();
    expect(receiver.received).toHaveLength(1);
    const shown = (await service.api.as(token).get(`/links/${linkId}`)).body as {
      webhook_disabled_at: string | null;
    };
    expect(shown.webhook_disabled_at).not.toBeNull();
    const later = await recordSome(3);
    await sender.sendAll();
    expect(await statusesOf([first, ...later])).toEqual([
      'disabled',
      'disabled',
      'disabled',
      'disabled',
    ]);
    expect(receiver.received).toHaveLength(1);
    expect(await replayRange()).toEqual({ matched: 4, replayed: 0, skipped: 4, dry_run: false });

    receiver.respondWith({ status: 204 });
    receiver.received.length = 0;
    expect((await patch(linkId, { webhook: receiver.url() })).body).toMatchObject({
      webhook_disabled_at: null,
    });
    expect(await replayRange()).toEqual({ matched: 4, replayed: 4, skipped: 0, dry_run: false });
    expect(await replayRange()).toMatchObject({ matched: 0 });
    await sender.sendAll();
    expect(keysReceived()).toEqual(await Promise.all([first, ...later].map(keyOf)));
    expect(await statusesOf([first, ...later])).toEqual([
      'delivered',
      'delivered',
      'delivered',
      'delivered',
    ]);
  });

  it('is independent of the endpoint of another app, even at the same address', async () => {
    const rivals = await storeLink(service, { appId: 'rival', webhook: receiver.url() });
    const { eventId: open } = await record(rivals);
    const gone = await storeLink(service, { webhook: receiver.url() });
    const deleted = await storeLink(service, { webhook: receiver.url() });
    await Promise.all([linkId, gone, deleted].map((of) => record(of)));
    expect((await patch(linkId, { webhook: null })).status).toBe(200);
    expect((await service.api.as(token).delete(`/links/${deleted}`)).status).toBe(204);
    receiver.respondWith(({ body }) => ({ status: body.link_id === gone ? 410 : 204 }));
    await sender.sendAll();
    await recordSome(1, rivals);
    await sender.sendAll();

    const rival = service.api.as(await service.token('rival'));
    expect((await rival.get(`/links/${rivals}`)).body).toMatchObject({
      webhook: receiver.url(),
      webhook_disabled_at: null,
    });
    const { events } = (await rival.get(`/webhooks/events?link_id=${rivals}`)).body as {
      events: ShownEvent[];
    };
    expect(
      events.map(({ event_id: id, status, attempts }) => [id === open, status, attempts]),
    ).toEqual([
      [true, 'delivered', 1],
      [false, 'delivered', 1],
    ]);
    expect((await service.api.as(token).get(`/links/${gone}`)).body).toMatchObject({
      webhook_disabled_at: expect.any(String),
    });
  });

  it('delivers all after 48 h of downtime, and the key prevents double work (webhooks 12, check 9)', async () => {
    const handled = new Set<string>();
    let double = 0;
    const work = { status: 204 };
    const begin = sender.ctx.clock();
    let upAgainMs = 12 * HOUR_MS;
    receiver.respondWith(({ body }) => {
      if (sender.ctx.clock().getTime() - begin.getTime() < upAgainMs) return DOWN;
      if (handled.has(body.webhook_idempotency_key)) double += 1;
      handled.add(body.webhook_idempotency_key);
      return work;
    });
    const ids = await recordSome(3);
    await sender.sendAll();
    expect(await statusesOf(ids)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(handled.size).toBe(3);

    upAgainMs = Number.POSITIVE_INFINITY;
    const lost = await recordSome(3);
    await sender.sendAll();
    expect(await statusesOf(lost)).toEqual(['exhausted', 'exhausted', 'exhausted']);
    sender.advance(24 * HOUR_MS);
    upAgainMs = 0;
    expect(await replayRange()).toMatchObject({ matched: 3, replayed: 3 });
    // One more than requested: an event that it already had is recognized by its key.
    await replay(ids[0] ?? '');
    await sender.sendAll();
    expect(handled.size).toBe(6);
    expect(double).toBe(1);
  });

  it('only counts in a dry run', async () => {
    const ids = await recordSome(2);
    expect(await replayRange({ status: ['pending'], dry_run: true })).toEqual({
      matched: 2,
      replayed: 0,
      skipped: 0,
      dry_run: true,
    });
    expect((await show(ids[0] ?? '')).deliveries).toHaveLength(1);
  });

  it('starts with the oldest, counts all, and omits those without a usable address before the limit', async () => {
    const silent = await storeLink(service);
    const [mute = ''] = await recordSome(1, silent);
    const ids = await recordSome(4);
    await service.database.prisma.webhookDelivery.updateMany({
      where: { event: { linkId } },
      data: { status: 'exhausted', nextAttemptAt: null },
    });
    expect(await replayRange({ limit: 2 })).toEqual({
      matched: 5,
      replayed: 2,
      skipped: 1,
      dry_run: false,
    });
    expect(await statusesOf([mute, ...ids])).toEqual([
      'no_address',
      'pending',
      'pending',
      'exhausted',
      'exhausted',
    ]);
    expect(await replayRange({ limit: 2, status: ['exhausted'] })).toEqual({
      matched: 2,
      replayed: 2,
      skipped: 0,
      dry_run: false,
    });
  });

  it('selects the events that match its filters, and nothing of another app or environment', async () => {
    const other = await storeLink(service, { webhook: receiver.url() });
    const [mine = ''] = await recordSome(1);
    const [others = ''] = await recordSome(1, other);
    await service.database.prisma.webhookDelivery.updateMany({
      data: { status: 'exhausted', nextAttemptAt: null },
    });
    const rival = await service.token('rival');
    expect(await replayRange({ link_id: linkId }, rival)).toMatchObject({ matched: 0 });
    expect(await replayRange({}, rival)).toMatchObject({ matched: 0 });
    expect(await replayRange({}, await service.token('pocket-ledger', 'live'))).toMatchObject({
      matched: 0,
    });
    expect(await replayRange({ webhook_event: 'link.state_changed' })).toMatchObject({
      matched: 0,
    });
    expect(await replayRange({ status: ['delivered'] })).toMatchObject({ matched: 0 });
    expect(await replayRange({ created_after: '2099-01-01' })).toMatchObject({ matched: 0 });
    expect(await replayRange({ created_before: '2020-01-02' })).toMatchObject({ matched: 0 });
    expect(
      await replayRange({ link_id: linkId, webhook_event: 'transactions.updates_available' }),
    ).toMatchObject({ matched: 1, replayed: 1 });
    expect(await statusesOf([mine, others])).toEqual(['pending', 'exhausted']);
  });

  it('sends each event once when two run at the same time', async () => {
    const ids = await recordSome(20);
    await service.database.prisma.webhookDelivery.updateMany({
      data: { status: 'exhausted', nextAttemptAt: null },
    });
    const counts = await Promise.all([replayRange(), replayRange(), replayRange()]);
    expect(counts.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(20);
    expect(
      await service.database.prisma.webhookDelivery.count({ where: { reason: 'replay' } }),
    ).toBe(20);
    expect(await statusesOf(ids)).toEqual(ids.map(() => 'pending'));
  });

  it('sends nothing to an address that is disabled in the meantime', async () => {
    await recordSome(1);
    await service.database.prisma.webhookDelivery.updateMany({
      data: { status: 'exhausted', nextAttemptAt: null },
    });
    let replaying: Promise<unknown> = Promise.resolve();
    await service.ctx.database.transaction(async (tx) => {
      await tx.link.update({ where: { linkId }, data: { webhookDisabledAt: new Date() } });
      replaying = new WebhookReplayRepository(service.ctx).replayRange(tenant('pocket-ledger'), {
        filter: { status: ['exhausted'] },
        limit: 10,
        dryRun: false,
      });
      // It has counted and waits for the link. Within one transaction this view never changes.
      await eventually(async () => {
        const { rows } = await service.database.pool.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        expect(rows).toHaveLength(1);
      });
    });
    expect(await replaying).toMatchObject({ replayed: 0 });
  });

  it.each([
    [{ created_after: undefined }, ['body.created_after']],
    [{ created_after: 'soon' }, ['body.created_after']],
    [{ status: ['replaced'] }, ['body.status.0']],
    [{ status: [] }, ['body.status']],
    [{ limit: 0 }, ['body.limit']],
    [{ limit: 1001 }, ['body.limit']],
    [{ dry_run: 'yes' }, ['body.dry_run']],
  ])('is refused when malformed: %j', async (json, locations) => {
    const answer = await service.api
      .as(token)
      .post('/webhooks/events/replay', { json: { created_after: EVERYTHING, ...json } });
    expect(errorOf(answer)).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations,
    });
  });
});
