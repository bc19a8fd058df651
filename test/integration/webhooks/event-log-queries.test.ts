import type { WebhookContent } from '../../../domain/webhooks/webhook-bodies.js';
import type { Tx } from '../../../prisma/base/database/tx.js';
import { recordWebhookEvent } from '../../../prisma/announcements/events/record-webhook-event.js';
import { WebhookLogRepository } from '../../../prisma/announcements/webhook-log/webhook-log.repository.js';
import { errorOf } from '../../support/services/api-client.js';
import { tenant } from '../../support/services/api-in-process.js';
import { eventually } from '../../support/assertions/eventually.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { idsOf, list, newLink, record, UPDATES } from './support/event-log-stage.js';

apiOfFile();

const REFRESHED: WebhookContent = {
  webhook_event: 'link.product_refresh',
  product: 'accounts',
  state: 'completed',
  state_changed_at: '2026-03-02T10:15:32.418Z',
  error_message: null,
};

const settle = async (deliveryId: string, status: string) =>
  service.database.prisma.webhookDelivery.update({
    where: { deliveryId },
    data: { status, nextAttemptAt: null },
  });

describe('Filters of the event log', () => {
  let linkId: string;
  let ids: string[];
  beforeAll(async () => {
    linkId = await newLink();
    await record(linkId, REFRESHED);
    const { deliveryId } = await record(linkId, UPDATES);
    await settle(deliveryId, 'exhausted');
    const { deliveryId: last } = await record(linkId, UPDATES);
    await settle(last, 'delivered');
    ids = idsOf(await list({ link_id: linkId }));
  });

  const at = (index: number) => ids.slice(index)[0] ?? '';
  const mine = async (query: Record<string, string | string[]>) =>
    idsOf(await list(query)).filter((id) => ids.includes(id));

  it('select by event, by status, and by both', async () => {
    expect(await mine({ webhook_event: 'link.state_changed' })).toEqual(ids.slice(0, 3));
    expect(
      await mine({ webhook_event: 'transactions.updates_available', link_id: linkId }),
    ).toEqual(ids.slice(4));
    expect(await mine({ webhook_event: 'something.else' })).toEqual([]);
    expect(await mine({ status: 'exhausted' })).toEqual([at(4)]);
    expect(await mine({ status: ['exhausted', 'delivered'] })).toEqual([at(4), at(5)]);
    expect(await mine({ status: 'delivered,exhausted', link_id: linkId })).toEqual([at(4), at(5)]);
    expect(await mine({ status: 'pending', webhook_event: 'link.product_refresh' })).toEqual([
      at(3),
    ]);
    expect(await mine({ status: ['pending', 'exhausted'], order: 'desc' })).toEqual([
      at(4),
      at(3),
      at(2),
      at(1),
      at(0),
    ]);
  });

  it('select by time: after is exclusive, before inclusive', async () => {
    const rows = await service.database.prisma.webhookEvent.findMany({
      where: { linkId },
      orderBy: { pk: 'asc' },
    });
    const moment = new Date('2020-01-01T00:00:00.000Z');
    for (const [index, { pk }] of rows.entries())
      await service.database.prisma.webhookEvent.update({
        where: { pk },
        data: { createdAt: new Date(moment.getTime() + index * 1_000) },
      });
    const within = async (query: Record<string, string>) =>
      idsOf(await list({ link_id: linkId, ...query }));
    expect(await within({ created_after: '2020-01-01T00:00:02.000' })).toEqual(ids.slice(3));
    expect(await within({ created_before: '2020-01-01T00:00:02.000' })).toEqual(ids.slice(0, 3));
    expect(
      await within({
        created_after: '2020-01-01T00:00:01Z',
        created_before: '2020-01-01T01:00:03.000+01:00',
      }),
    ).toEqual(ids.slice(2, 4));
    expect(await within({ created_after: '2020-01-01T00:00:05.000', order: 'desc' })).toEqual([]);
    expect(
      await mine({
        status: 'exhausted',
        created_after: '2020-01-01T00:00:03.999',
        created_before: '2020-01-01T00:00:04.000',
      }),
    ).toEqual([at(4)]);
    expect(
      await mine({
        status: 'exhausted',
        created_after: '2020-01-01T00:00:04.000',
        created_before: '2020-01-02',
      }),
    ).toEqual([]);
  });

  it.each([
    ['status=replaced', 'query.status.0'],
    ['order=up', 'query.order'],
    ['limit=0', 'query.limit'],
    ['limit=501', 'query.limit'],
    ['created_after=yesterday', 'query.created_after'],
    ['created_before=2026-13-01', 'query.created_before'],
    ['cursor=abc', 'query.cursor'],
    ['order=asc&order=desc', 'query.order'],
  ])('are refused: %s', async (query, location) => {
    expect(errorOf(await service.api.as(token).get(`/webhooks/events?${query}`))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations: [location],
    });
  });
});

describe('Pages of the event log', () => {
  it.each(['asc', 'desc'])('return every event once: %s', async (order) => {
    const linkId = await newLink();
    for (let index = 0; index < 4; index += 1) await record(linkId);
    const all = idsOf(await list({ link_id: linkId, order }));
    const seen: string[] = [];
    let page = await list({ link_id: linkId, order, limit: '3' });
    for (seen.push(...idsOf(page)); page.has_more; seen.push(...idsOf(page)))
      page = await list({ link_id: linkId, order, limit: '3', cursor: page.cursor.next });
    expect(seen).toEqual(all);
    expect(seen).toHaveLength(7);
  });

  it('can be tailed with the cursor of the last page', async () => {
    const linkId = await newLink();
    let { cursor, ...page } = await list({ link_id: linkId });
    expect(page).toMatchObject({ events: { length: 3 }, has_more: false });
    for (let round = 0; round < 2; round += 1) {
      ({ cursor, ...page } = await list({ link_id: linkId, cursor: cursor.next }));
      expect(page).toEqual({ events: [], has_more: false });
      const { eventId } = await record(linkId);
      ({ cursor, ...page } = await list({ link_id: linkId, cursor: cursor.next }));
      expect(page.events.map(({ event_id: id }) => id)).toEqual([eventId]);
    }
  });

  it('have a cursor to tail with even when the log is empty', async () => {
    const rival = await service.token('rival');
    const { cursor, ...page } = await list({}, rival);
    expect(page).toEqual({ events: [], has_more: false });
    await newLink({}, 'rival');
    expect((await list({ cursor: cursor.next }, rival)).events).toHaveLength(3);
  });

  it('require the same filters while a cursor is used; the limit may change', async () => {
    const linkId = await newLink();
    const { cursor } = await list({ link_id: linkId, limit: '1' });
    expect((await list({ link_id: linkId, limit: '2', cursor: cursor.next })).events).toHaveLength(
      2,
    );
    for (const other of [
      '',
      `link_id=${linkId}&order=desc`,
      `link_id=${linkId}&status=pending`,
      `link_id=${linkId}&webhook_event=link.state_changed`,
      `link_id=${linkId}&created_after=2020-01-01`,
    ]) {
      expect(
        errorOf(await service.api.as(token).get(`/webhooks/events?${other}&cursor=${cursor.next}`)),
      ).toEqual({
        status: 422,
        code: 'api_error.request.validation_failed',
        locations: ['query.cursor'],
      });
    }
    const rival = await service.token('rival');
    expect(
      errorOf(
        await service.api.as(rival).get(`/webhooks/events?link_id=${linkId}&cursor=${cursor.next}`),
      ),
    ).toMatchObject({ status: 422 });
  });

  it('do not skip an event whose transaction commits late', async () => {
    const linkId = await newLink();
    const { linkId: other } = { linkId: await newLink() };
    const log = new WebhookLogRepository(service.ctx, { patienceMs: 300 });
    const read = async (after: bigint | null) =>
      log.list(tenant('pocket-ledger'), {
        filter: { linkId: undefined },
        order: 'asc',
        after,
        limit: 500,
      });
    const before = await read(null);
    let commit: () => void = () => undefined;
    const committed = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let written: () => void = () => undefined;
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const late = service.ctx.database.transaction(async (tx) => {
      const event = await recordWebhookEvent(
        service.ctx,
        tx,
        await tx.link.findUniqueOrThrow({ where: { linkId } }),
        UPDATES,
      );
      written();
      await committed;
      return event;
    });
    await isWritten;
    const { eventId: early } = await record(other);
    // The early one has the higher key, so showing it now would lose the late one.
    const meanwhile = await read(before.position);
    expect(meanwhile).toMatchObject({ events: [], position: before.position });
    commit();
    const { eventId } = await late;
    expect((await read(meanwhile.position)).events.map(({ eventId: id }) => id)).toEqual([
      eventId,
      early,
    ]);
  });

  it('are not held back by an open transaction of another app, or by one that only reads or removes', async () => {
    const linkId = await newLink();
    const others = await newLink({}, 'rival');
    const { cursor } = await list({ link_id: linkId, limit: '500' });
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let opened = 0;
    const openWith = (work: (tx: Tx) => Promise<unknown>) =>
      service.ctx.database.transaction(async (tx) => {
        await work(tx);
        opened += 1;
        await ended;
      });
    const open = Promise.all([
      openWith(async (tx) =>
        recordWebhookEvent(
          service.ctx,
          tx,
          await tx.link.findUniqueOrThrow({ where: { linkId: others } }),
          UPDATES,
        ),
      ),
      openWith((tx) => tx.webhookEvent.count()),
      openWith((tx) => tx.webhookEvent.deleteMany({ where: { eventId: 'evt_none' } })),
    ]);
    await eventually(() => {
      expect(opened).toBe(3);
    });
    const { eventId } = await record(linkId);
    const page = await list({ link_id: linkId, cursor: cursor.next }).finally(end);
    await open;
    expect(idsOf(page)).toEqual([eventId]);
  });

  it('let a reader miss no event and see none twice while eight writers write', async () => {
    const links = await Promise.all(Array.from({ length: 8 }, () => newLink()));
    let { cursor } = await list({ order: 'asc', limit: '500' });
    const seen: string[] = [];
    let writing = true;
    const reader = (async () => {
      for (let done = false; !done;) {
        done = !writing;
        const page = await list({ limit: '500', cursor: cursor.next });
        seen.push(...idsOf(page));
        ({ cursor } = page);
      }
    })();
    const written = await Promise.all(
      links.map(async (linkId) => {
        const ids: string[] = [];
        for (let round = 0; round < 20; round += 1) ids.push((await record(linkId)).eventId);
        return ids;
      }),
    );
    writing = false;
    await reader;
    const expected = new Set(written.flat());
    expect(seen.filter((id) => expected.has(id))).toHaveLength(160);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('Pages of the event log for a limited key pair', () => {
  it.each(['asc', 'desc'] as const)(
    'hold every event that matches once, in the order %s, although some of them are empty',
    async (order) => {
      const linkId = await newLink();
      const refreshed: string[] = [];
      for (let index = 0; index < 4; index += 1) {
        refreshed.push((await record(linkId, REFRESHED)).eventId);
        for (let other = 0; other < 12; other += 1) await record(linkId, UPDATES);
      }
      const log = new WebhookLogRepository(service.ctx);
      const limited = { ...tenant('pocket-ledger'), only: { links: [linkId] } };
      const filter = { webhookEvent: REFRESHED.webhook_event, status: ['pending'] as const };
      const pages: string[][] = [];
      let after: bigint | null = null;
      for (let hasMore = true; hasMore;) {
        const page = await log.list(limited, { filter, order, after, limit: 1 });
        pages.push(page.events.map(({ eventId }) => eventId));
        ({ hasMore, position: after } = page);
      }
      expect(pages.flat()).toEqual(order === 'asc' ? refreshed : [...refreshed].reverse());
      expect(pages.filter((page) => page.length === 0).length).toBeGreaterThan(0);
      expect(Math.max(...pages.map((page) => page.length))).toBe(1);
    },
  );
});
