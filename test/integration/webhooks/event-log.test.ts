import { randomUUID } from 'node:crypto';
import type { Notification } from 'pg';
import type { WebhookContent } from '../../../domain/webhooks/webhook-bodies.js';
import type { Tx } from '../../../prisma/database/tx.js';
import { storedAttempt } from '../../../prisma/webhooks/attempt-history.js';
import {
  recordWebhookEvent,
  type RecordedEvent,
} from '../../../prisma/events/record-webhook-event.js';
import { WebhookLogRepository } from '../../../prisma/webhook-log/webhook-log.repository.js';
import { errorOf } from '../../support/services/api-client.js';
import {
  connectedLink,
  forceLink,
  grantProducts,
  startApiInProcess,
  tenant,
  type ApiInProcess,
  type AppId,
} from '../../support/services/api-in-process.js';
import { expectDescribedWebhook } from '../../support/assertions/described-responses.js';
import { eventually } from '../../support/assertions/eventually.js';
import { storeLink } from './sending-side.js';
import { CONNECTED } from './webhook-service.js';
import { listenTo } from '../../support/assertions/listen-to.js';

interface EventBody {
  event_id: string;
  link_id: string;
  webhook_event: string;
  created_at: string;
  status: string;
  origin: string;
  body: Record<string, unknown>;
}
interface EventsBody {
  events: EventBody[];
  cursor: { next: string };
  has_more: boolean;
}

const HOOK = 'https://hooks.example/bank';
const REFRESHED: WebhookContent = {
  webhook_event: 'link.product_refresh',
  product: 'accounts',
  state: 'completed',
  state_changed_at: '2026-03-02T10:15:32.418Z',
  error_message: null,
};
const UPDATES: WebhookContent = {
  webhook_event: 'transactions.updates_available',
  has_history: false,
};

let service: ApiInProcess;
let token: string;
beforeAll(async () => {
  service = await startApiInProcess();
  token = await service.token('pocket-ledger');
});
afterAll(() => service?.close());

const list = async (
  query: Record<string, string | string[]> = {},
  bearer = token,
): Promise<EventsBody> => {
  const answer = await service.api
    .as(bearer)
    .get(
      `/webhooks/events?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])))}`,
    );
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body as EventsBody;
};
const idsOf = ({ events }: EventsBody) => events.map(({ event_id: id }) => id);
/** A connected link with three events. */
async function newLink(
  { webhook = HOOK, tags = [] }: { webhook?: string | null; tags?: string[] } = {},
  appId: AppId = 'pocket-ledger',
): Promise<string> {
  const linkId = await storeLink(service, { appId, webhook, tags });
  for (let index = 0; index < 3; index += 1) await record(linkId, CONNECTED);
  return linkId;
}

async function record(linkId: string, content: WebhookContent = UPDATES): Promise<RecordedEvent> {
  return service.ctx.database.transaction(async (tx) =>
    recordWebhookEvent(
      service.ctx,
      tx,
      await tx.link.findUniqueOrThrow({ where: { linkId } }),
      content,
    ),
  );
}

const settle = async (deliveryId: string, status: string) =>
  service.database.prisma.webhookDelivery.update({
    where: { deliveryId },
    data: { status, nextAttemptAt: null },
  });

describe('The event log', () => {
  it('contains each event as its table defines it, with link_tags [] when the session had none (webhooks 12, check 1)', async () => {
    const linkId = await connectedLink(service, token, {
      customer_user: { id: randomUUID() },
      webhook: HOOK,
    });
    await record(linkId, UPDATES);
    const { events, has_more: more } = await list({ link_id: linkId });
    expect(events.map(({ webhook_event: name, body }) => [name, body['state']])).toEqual([
      ['link.state_changed', 'connecting'],
      ['link.state_changed', 'awaiting_token_exchange'],
      ['link.state_changed', 'connected'],
      ['link.product_refresh', 'completed'],
      ['transactions.updates_available', undefined],
    ]);
    for (const { webhook_event: name, body, link_id: of, origin, status } of events) {
      expectDescribedWebhook(name, body);
      expect({
        of,
        origin,
        status,
        tags: body['link_tags'],
        link: body['link_id'],
        major: body['webhook_major_version'],
        minor: body['webhook_minor_version'],
      }).toEqual({
        of: linkId,
        origin: 'change',
        status: 'pending',
        tags: [],
        link: linkId,
        major: 1,
        minor: 0,
      });
    }
    expect(more).toBe(false);
  });

  it('includes the tags of the session', async () => {
    const { events } = await list({ link_id: await newLink({ tags: ['tier:gold'] }) });
    expect(events.map(({ body }) => body['link_tags'])).toEqual([
      ['tier:gold'],
      ['tier:gold'],
      ['tier:gold'],
    ]);
  });

  it('records events of a link without a webhook address', async () => {
    const { events } = await list({
      link_id: await newLink({ webhook: null }),
      status: 'no_address',
    });
    expect(events).toHaveLength(3);
    const { body } = await service.api.as(token).get(`/webhooks/events/${events[0]?.event_id}`);
    expect(body).toMatchObject({
      status: 'no_address',
      attempts: 0,
      deliveries: [{ url: null, status: 'no_address', attempts: [] }],
    });
  });

  it('keeps the events of a deleted link, including its last one', async () => {
    const linkId = await newLink();
    await service.api.as(token).delete(`/links/${linkId}`);
    expect((await list({ link_id: linkId, order: 'desc', limit: '1' })).events).toMatchObject([
      { body: { state: 'deleted' } },
    ]);
    await service.database.prisma.link.delete({ where: { linkId } });
    expect((await list({ link_id: linkId })).events).toHaveLength(4);
  });

  it('shows one event with its deliveries and attempts, oldest first', async () => {
    const linkId = await newLink();
    const { eventId, deliveryId } = await record(linkId);
    const { pk } = await service.database.prisma.webhookDelivery.findUniqueOrThrow({
      where: { deliveryId },
    });
    const at = (ms: number) => new Date(Date.parse('2026-03-02T10:15:32.455Z') + ms);
    await service.database.prisma.webhookDelivery.update({
      where: { pk },
      data: {
        attempts: 2,
        firstAttemptAt: at(0),
        lastAttemptAt: at(5_157),
        nextAttemptAt: at(30_000),
        history: [
          storedAttempt({
            attempt: 1,
            startedAt: at(0),
            durationMs: 15_000,
            httpStatus: null,
            error: 'timeout',
            responseExcerpt: null,
          }),
          storedAttempt({
            attempt: 2,
            startedAt: at(5_157),
            durationMs: 84,
            httpStatus: 500,
            error: 'http_status',
            responseExcerpt: 'oops',
          }),
        ],
      },
    });
    const { body } = await service.api.as(token).get(`/webhooks/events/${eventId}`);
    expect(body).toMatchObject({
      event_id: eventId,
      status: 'pending',
      attempts: 2,
      last_attempt_at: '2026-03-02T10:15:37.612',
      next_attempt_at: '2026-03-02T10:16:02.455',
      deliveries: [
        {
          delivery_token: deliveryId,
          url: HOOK,
          reason: 'event',
          status: 'pending',
          attempts: [
            {
              attempt: 1,
              started_at: '2026-03-02T10:15:32.455',
              duration_ms: 15_000,
              http_status: null,
              error: 'timeout',
              response_excerpt: null,
            },
            {
              attempt: 2,
              started_at: '2026-03-02T10:15:37.612',
              duration_ms: 84,
              http_status: 500,
              error: 'http_status',
              response_excerpt: 'oops',
            },
          ],
        },
      ],
    });
  });
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

describe('Access to the event log', () => {
  it("is limited to events of the token's own links in its environment", async () => {
    const linkId = await newLink();
    const [first] = (await list({ link_id: linkId })).events;
    for (const [app, environment] of [
      ['rival', 'sandbox'],
      ['pocket-ledger', 'live'],
    ] as const) {
      const other = await service.token(app, environment);
      expect(idsOf(await list({ link_id: linkId }, other))).toEqual([]);
      expect(idsOf(await list({ limit: '500', order: 'desc' }, other))).not.toContain(
        first?.event_id,
      );
      expect(
        errorOf(await service.api.as(other).get(`/webhooks/events/${first?.event_id}`)),
      ).toMatchObject({ status: 404, code: 'webhook_error.not_found' });
      expect(
        errorOf(await service.api.as(other).post(`/webhooks/events/${first?.event_id}/replay`)),
      ).toMatchObject({ status: 404, code: 'webhook_error.not_found' });
    }
    expect(errorOf(await service.api.as(token).get('/webhooks/events/evt_unknown'))).toMatchObject({
      status: 404,
      code: 'webhook_error.not_found',
    });
  });

  it('needs the scope of each call', async () => {
    const linkId = await newLink();
    const [first] = (await list({ link_id: linkId })).events;
    const readOnly = service.api.as(
      await service.token('pocket-ledger', 'sandbox', 'webhooks:read'),
    );
    const replayOnly = service.api.as(
      await service.token('pocket-ledger', 'sandbox', 'webhooks:replay'),
    );
    const refused = { status: 401, code: 'api_error.auth.unauthorized' };
    expect((await readOnly.get('/webhooks/events')).status).toBe(200);
    expect((await readOnly.get(`/webhooks/events/${first?.event_id}`)).status).toBe(200);
    expect(
      errorOf(await readOnly.post(`/webhooks/events/${first?.event_id}/replay`)),
    ).toMatchObject(refused);
    expect(
      errorOf(
        await readOnly.post('/webhooks/events/replay', { json: { created_after: '2020-01-01' } }),
      ),
    ).toMatchObject(refused);
    expect(
      errorOf(
        await readOnly.post(`/webhooks/test/link/${linkId}`, {
          json: { webhook_event: 'link.state_changed', webhook_idempotency_key: 'k' },
        }),
      ),
    ).toMatchObject(refused);
    expect(errorOf(await replayOnly.get('/webhooks/events'))).toMatchObject(refused);
    expect((await replayOnly.post(`/webhooks/events/${first?.event_id}/replay`)).status).toBe(200);
    expect((await service.api.get('/webhooks/events')).status).toBe(401);
  });
});

describe('The test link event', () => {
  const send = (linkId: string, json: unknown, bearer = token) =>
    service.api.as(bearer).post(`/webhooks/test/link/${linkId}`, { json });
  const bodyOf = async (deliveryToken: string) => {
    const { event } = await service.database.prisma.webhookDelivery.findUniqueOrThrow({
      where: { deliveryId: deliveryToken },
      include: { event: true },
    });
    return JSON.parse(event.body) as Record<string, unknown>;
  };
  const tokenOf = ({ status, body, text }: { status: number; body: unknown; text: string }) => {
    if (status !== 200) throw new Error(`${status}: ${text}`);
    return (body as { delivery_token: string }).delivery_token;
  };

  it('sends current data of the link under the key of the caller, as often as requested', async () => {
    const linkId = await newLink({ tags: ['tier:gold'] });
    await forceLink(service, linkId, { state: 'error', errorCode: 'auth_expired' });
    const revision = async () =>
      (await service.database.prisma.link.findUniqueOrThrow({ where: { linkId } })).revision;
    const before = await revision();
    const key = 'my key — ä';
    const first = tokenOf(
      await send(linkId, { webhook_event: 'link.state_changed', webhook_idempotency_key: key }),
    );
    const second = tokenOf(
      await send(linkId, { webhook_event: 'link.state_changed', webhook_idempotency_key: key }),
    );
    expect(second).not.toBe(first);
    for (const deliveryToken of [first, second]) {
      const body = await bodyOf(deliveryToken);
      expectDescribedWebhook('link.state_changed', body);
      expect(body).toMatchObject({
        webhook_idempotency_key: key,
        link_id: linkId,
        link_tags: ['tier:gold'],
        state: 'error',
        error: 'auth_expired',
      });
    }
    expect(await revision()).toBe(before);
    const { events } = await list({ link_id: linkId, order: 'desc', limit: '2' });
    expect(events).toMatchObject([
      { origin: 'test', status: 'pending', webhook_idempotency_key: key },
      { origin: 'test' },
    ]);
    const { body } = await service.api.as(token).get(`/webhooks/events/${events[0]?.event_id}`);
    expect(body).toMatchObject({
      deliveries: [{ delivery_token: second, reason: 'test', url: HOOK }],
    });
  });

  it.each(['link.product_refresh', 'product.state_changed'])(
    '%s announces that the accounts were refreshed now',
    async (name) => {
      const linkId = await newLink();
      const body = await bodyOf(
        tokenOf(await send(linkId, { webhook_event: name, webhook_idempotency_key: 'k' })),
      );
      expectDescribedWebhook('link.product_refresh', body);
      expect(body).toMatchObject({
        webhook_event: 'link.product_refresh',
        product: 'accounts',
        state: 'completed',
        error_message: null,
      });
      expect(Math.abs(Date.parse(String(body['state_changed_at'])) - Date.now())).toBeLessThan(
        60_000,
      );
    },
  );

  it.each([true, false])(
    'transactions.updates_available reports whether there is history: %s',
    async (hasHistory) => {
      const linkId = await newLink();
      await grantProducts(service, linkId, ['transactions']);
      await service.database.prisma.linkProduct.updateMany({
        where: { link: { linkId } },
        data: { hasHistory },
      });
      const body = await bodyOf(
        tokenOf(
          await send(linkId, {
            webhook_event: 'transactions.updates_available',
            webhook_idempotency_key: 'k',
          }),
        ),
      );
      expectDescribedWebhook('transactions.updates_available', body);
      expect(body['has_history']).toBe(hasHistory);
    },
  );

  it('is refused where native-api 3.8 requires it', async () => {
    const json = { webhook_event: 'link.state_changed', webhook_idempotency_key: 'k' };
    const linkId = await newLink();
    const noAddress = await newLink({ webhook: null });
    const live = await newLink();
    await service.database.prisma.link.update({
      where: { linkId: live },
      data: { environment: 'live', clientId: 'live_pocket-ledger' },
    });
    const disabled = await newLink();
    await service.database.prisma.link.update({
      where: { linkId: disabled },
      data: { webhookDisabledAt: new Date() },
    });
    const deleted = await newLink();
    await service.api.as(token).delete(`/links/${deleted}`);
    const rival = await service.token('rival');
    const liveToken = await service.token('pocket-ledger', 'live');
    for (const [of, bearer, expected] of [
      [noAddress, token, { status: 400, code: 'link_error.bad_config' }],
      [disabled, token, { status: 400, code: 'link_error.bad_config' }],
      [live, liveToken, { status: 400, code: 'link_error.bad_config' }],
      [linkId, liveToken, { status: 401, code: 'link_error.unauthorized_access' }],
      [linkId, rival, { status: 401, code: 'link_error.unauthorized_access' }],
      ['mk_unknown', token, { status: 404, code: 'link_error.not_found' }],
      [deleted, token, { status: 410, code: 'link_error.deleted' }],
    ] as const)
      expect(errorOf(await send(of, json, bearer))).toMatchObject(expected);
  });

  it.each([
    [{}, ['body.webhook_event', 'body.webhook_idempotency_key']],
    [{ webhook_event: 'link.deleted', webhook_idempotency_key: 'k' }, ['body.webhook_event']],
    [
      { webhook_event: 'link.state_changed', webhook_idempotency_key: '' },
      ['body.webhook_idempotency_key'],
    ],
    [
      { webhook_event: 'link.state_changed', webhook_idempotency_key: 'k'.repeat(256) },
      ['body.webhook_idempotency_key'],
    ],
  ])('refuses the malformed body %j', async (json, locations) => {
    expect(errorOf(await send(await newLink(), json))).toEqual({
      status: 422,
      code: 'api_error.request.validation_failed',
      locations,
    });
  });

  it('notifies the webhooks processes', async () => {
    const linkId = await newLink({ webhook: HOOK });
    const client = await service.database.pool.connect();
    const heard: Pick<Notification, 'channel' | 'payload'>[] = [];
    client.on('notification', ({ channel, payload }) => heard.push({ channel, payload }));
    const channel = await listenTo(client, 'webhook_delivery');
    tokenOf(
      await send(linkId, { webhook_event: 'link.state_changed', webhook_idempotency_key: 'k' }),
    );
    await eventually(async () => {
      await client.query('SELECT 1');
      expect(heard).toContainEqual({ channel, payload: '' });
    });
    client.release(true);
  });
});
