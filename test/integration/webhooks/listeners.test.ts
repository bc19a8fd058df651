import { createHash, randomUUID } from 'node:crypto';
import { ApplicationRepository } from '../../../prisma/tenants/applications/application.repository.js';
import { Tributary } from '../../../clients/node/src/index.js';
import {
  recordContent,
  recordWebhookEvent,
} from '../../../prisma/announcements/events/record-webhook-event.js';
import { WebhookListenerRepository } from '../../../prisma/announcements/webhook-listeners/webhook-listener.repository.js';
import { eventually } from '../../support/assertions/eventually.js';
import { errorOf } from '../../support/services/api-client.js';
import { clientId } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { HOOK, newLink, record, UPDATES } from './support/event-log-stage.js';
import { Listener, type DeliveryPage } from './support/listening.js';
import { CONNECTED, storeLink } from './webhook-service.js';

apiOfFile();
// An app may have 20.
afterEach(() => service.database.prisma.webhookListener.deleteMany());

const api = () => service.api.as(token);
const listen = (filter: Record<string, unknown> = {}) => Listener.start(api(), filter);
const idsOf = ({ deliveries }: DeliveryPage) => deliveries.map(({ event_id: id }) => id);
const UNKNOWN = { status: 404, code: 'webhook_error.not_found', locations: [] };
const TOO_MANY = { status: 429, code: 'api_error.rate_limit_exceeded' };
const invalid = (location: string) => ({
  status: 422,
  code: 'api_error.request.validation_failed',
  locations: [location],
});

describe('A listener', () => {
  it('gets the request of a webhook, which the client for Node accepts', async () => {
    const listener = await listen();
    const linkId = await storeLink(service, { appId: 'pocket-ledger', webhook: HOOK, tags: [] });
    const { eventId } = await record(linkId);
    const [delivery] = (await listener.page()).deliveries;
    if (delivery === undefined) throw new Error('there is no delivery');
    expect(delivery).toMatchObject({ event_id: eventId, link_id: linkId, attempt: 1 });
    expect({ ...delivery.headers, 'service-signature': '' }).toEqual({
      'service-signature': '',
      'service-delivery-token': delivery.delivery_token,
      'service-delivery-attempt': '1',
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'service-webhooks/1',
    });
    const { webhooks } = new Tributary({
      baseUrl: service.environment['BASE_URL'] ?? 'http://127.0.0.1:4000',
      appId: 'pocket-ledger',
      environment: 'sandbox',
      fetch: async () => Response.json((await service.api.get('/.well-known/jwks.json')).body),
    });
    const event = await webhooks.verify(delivery.body, delivery.headers);
    expect(event).toEqual(JSON.parse(delivery.body));
    const logged = (await api().get(`/webhooks/events/${eventId}`)).body;
    expect(logged).toMatchObject({ body: event, status: 'pending', deliveries: [{}] });
  });

  it('gets an event that happens while it waits, also of a link without an address', async () => {
    const listener = await listen();
    const linkId = await storeLink(service, { appId: 'pocket-ledger', webhook: null, tags: [] });
    const waiting = listener.page({ wait: 25 });
    const { eventId } = await record(linkId);
    expect(idsOf(await waiting)).toEqual([eventId]);
  });

  it('gets only events that match its names and its link', async () => {
    const [one, other] = [await newLink(), await newLink()];
    const names = await listen({ webhook_events: ['transactions.updates_available'] });
    const link = await listen({ link_id: one });
    const both = await listen({
      link_id: one,
      webhook_events: ['link.state_changed', 'ITEM.ERROR'],
    });
    const foreign = await listen({ link_id: await newLink({}, 'rival') });
    const recorded = [
      await record(one, UPDATES),
      await record(one, CONNECTED),
      await record(other, UPDATES),
    ].map(({ eventId }) => eventId);
    expect(idsOf(await names.page())).toEqual([recorded[0], recorded[2]]);
    expect(idsOf(await link.page())).toEqual([recorded[0], recorded[1]]);
    expect(idsOf(await both.page())).toEqual([recorded[1]]);
    expect(idsOf(await foreign.page())).toEqual([]);
  });

  it('starts where `since` asks, else at its creation', async () => {
    const linkId = await newLink();
    const { eventId } = await record(linkId);
    const { created_at: since } = (await api().get(`/webhooks/events/${eventId}`)).body as {
      created_at: string;
    };
    await service.database.pool.query(
      "UPDATE webhook_events SET created_at = created_at - interval '1 second' WHERE link_id = $1 AND event_id <> $2",
      [linkId, eventId],
    );
    expect(idsOf(await (await listen({ since, link_id: linkId })).page())).toEqual([eventId]);
    const all = await listen({ since: '2020-01-01', link_id: linkId });
    expect(idsOf(await all.page())).toHaveLength(4);
    expect(idsOf(await (await listen({ link_id: linkId })).page())).toEqual([]);
  });

  it('continues behind the cursor of each delivery, and reads the same again under the same tokens', async () => {
    const linkId = await newLink();
    const listener = await listen({ link_id: linkId, since: '2020-01-01' });
    const first = await listener.page({ limit: 2 });
    expect(first).toMatchObject({ has_more: true, cursor: { next: first.deliveries[1]?.cursor } });
    const again = await listener.page({ limit: 2 });
    expect(again.deliveries.map(({ delivery_token: of }) => of)).toEqual(
      first.deliveries.map(({ delivery_token: of }) => of),
    );
    const rest = await listener.page({ after: first.deliveries[0]?.cursor ?? '' });
    expect(rest.deliveries.map(({ event_id: id }) => id)).toHaveLength(2);
    expect(rest.has_more).toBe(false);
    expect(await listener.page({ after: rest.cursor.next })).toMatchObject({ deliveries: [] });
  });

  it('skips no event whose transaction commits after that of a later one', async () => {
    const linkId = await newLink();
    const listener = await listen({ link_id: linkId });
    let commit = (): void => undefined;
    const held = new Promise<void>((resolve) => (commit = resolve));
    let early: Promise<unknown> = Promise.resolve();
    const first = await new Promise<string>((resolve) => {
      early = service.ctx.database.transaction(async (tx) => {
        const link = await tx.link.findUniqueOrThrow({ where: { linkId } });
        resolve((await recordWebhookEvent(service.ctx, tx, link, UPDATES)).eventId);
        await held;
      });
    });
    const { eventId: second } = await record(linkId);
    const waiting = listener.page({ wait: 25 });
    commit();
    await early;
    expect(idsOf(await waiting)).toEqual([first, second]);
  });

  // plaid-compat 8.2, 8.3
  it('gets a webhook of the Plaid-compatible layer with its own signature, accepted by 200 alone', async () => {
    const linkId = await newLink();
    const listener = await listen({ link_id: linkId });
    await service.ctx.database.transaction(async (tx) => {
      const link = await tx.link.findUniqueOrThrow({ where: { linkId } });
      const content = { webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED' };
      await recordContent(service.ctx, tx, link, 'plaid', content);
    });
    const [delivery] = (await listener.page()).deliveries;
    if (delivery === undefined) throw new Error('there is no delivery');
    const { 'plaid-verification': signature = '', ...others } = delivery.headers;
    expect(Object.keys(others)).toEqual(['content-type', 'user-agent']);
    const claims = Buffer.from(signature.split('.')[1] ?? '', 'base64url').toString();
    expect(claims).toContain(createHash('sha256').update(delivery.body).digest('hex'));
    const report = await listener.report(delivery, { http_status: 204 });
    expect(report.body).toMatchObject({ status: 'exhausted' });
  });

  it('hears nothing of another app, and is unknown to other key pairs', async () => {
    const listener = await listen({ since: '2020-01-01' });
    const rival = service.api.as(await service.token('rival'));
    const { eventId } = await record(await newLink({}, 'rival'));
    expect(idsOf(await listener.page())).not.toContain(eventId);
    expect(errorOf(await rival.get(listener.path()))).toEqual(UNKNOWN);
    const report = { json: { event_id: eventId, duration_ms: 1 } };
    const path = `/webhooks/listeners/${listener.id}/deliveries/whd_x`;
    expect((await rival.post(path, report)).status).toBe(404);
  });

  it('ends a minute after its last call, and is then removed', async () => {
    const listener = await listen();
    const age = async (seconds: number) =>
      service.database.pool.query(
        "UPDATE webhook_listeners SET last_called_at = now() - $1 * interval '1 second' WHERE listener_id = $2",
        [seconds, listener.id],
      );
    await age(59);
    await listener.page();
    await age(61);
    const ended = await api().get(listener.path());
    expect(errorOf(ended)).toEqual(UNKNOWN);
    expect(ended.text).toContain('Listener not found, or it has expired.');
    expect(
      await new WebhookListenerRepository(service.ctx).removeEnded(new Date()),
    ).toBeGreaterThanOrEqual(1);
    expect(
      await service.database.prisma.webhookListener.count({ where: { listenerId: listener.id } }),
    ).toBe(0);
  });

  it.each([
    [{ webhook_events: ['link.state_change'] }, 'body.webhook_events.0'],
    [{ since: 'yesterday' }, 'body.since'],
    [{ link_id: '' }, 'body.link_id'],
  ])('is refused with the filter %j', async (json, location) => {
    expect(errorOf(await api().post('/webhooks/listeners', { json }))).toEqual(invalid(location));
  });

  it('is refused a cursor of another listener, and a wait beyond 25 seconds', async () => {
    const listener = await listen();
    const foreign = (await (await listen()).page()).cursor.next;
    for (const [query, name] of [
      [{ after: foreign }, 'after'],
      [{ wait: 26 }, 'wait'],
      [{ limit: 101 }, 'limit'],
    ] as const)
      expect(errorOf(await api().get(listener.path(query)))).toEqual(invalid(`query.${name}`));
  });
});

describe('Listening in Live', () => {
  it('is refused until the operator allows it to the app', async () => {
    const live = service.api.as(await service.token('pocket-ledger', 'live'));
    const refused = await live.post('/webhooks/listeners');
    expect(errorOf(refused)).toMatchObject({ status: 403, code: 'api_error.sandbox_only' });
    expect(refused.text).toContain('This app may listen to webhooks in Sandbox only.');
    const apps = new ApplicationRepository(service.ctx);
    await apps.updateApplication('pocket-ledger', { liveListening: true });
    const listener = await Listener.start(live, { since: '2020-01-01' });
    const { eventId } = await record(await newLink());
    expect(idsOf(await listener.page())).not.toContain(eventId);
    await apps.updateApplication('pocket-ledger', { liveListening: false });
    expect((await live.get(listener.path())).status).toBe(403);
  });
});

describe('The limits of listeners', () => {
  const rivalApi = async () => service.api.as(await service.token('rival'));

  it('are 20 of an app, and 20 calls that wait', async () => {
    const rival = await rivalApi();
    const listener = await Listener.start(rival);
    for (let more = 1; more < 20; more += 1) await Listener.start(rival);
    const refused = await rival.post('/webhooks/listeners');
    expect(errorOf(refused)).toMatchObject(TOO_MANY);
    expect(refused.headers.get('retry-after')).toBe('60');

    const waiting = Array.from({ length: 21 }, () => rival.get(listener.path({ wait: 25 })));
    const first = await Promise.race(waiting);
    expect(errorOf(first)).toMatchObject(TOO_MANY);
    expect(first.headers.get('retry-after')).toBe('1');
    await record(await newLink({}, 'rival'));
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  });
});

async function untilCalled({ id }: Listener): Promise<void> {
  await eventually(async () => {
    const { rows } = await service.database.pool.query(
      'SELECT FROM webhook_listeners WHERE listener_id = $1 AND last_called_at > created_at',
      [id],
    );
    if (rows.length === 0) throw new Error('the call has not arrived');
  });
}

describe('A call that waits', () => {
  it('responds at once when the API stops', async () => {
    const another = await service.another();
    const listener = (await listen()).through(another.api.as(token));
    const waiting = listener.page({ wait: 25 });
    await untilCalled(listener);
    await another.close();
    expect(await waiting).toMatchObject({ deliveries: [], has_more: false });
  });

  it('returns nothing to a token whose client was disabled meanwhile', async () => {
    const apps = new ApplicationRepository(service.ctx);
    const live = service.api.as(await service.token('rival', 'live'));
    await apps.updateApplication('rival', { liveListening: true });
    const listener = await Listener.start(live, { link_id: `mk_${randomUUID()}` });
    const waiting = live.get(listener.path({ wait: 25 }));
    await untilCalled(listener);
    await apps.setDisabled(clientId('rival', 'live'), true);
    // An event of its app wakes it.
    await record(await storeLink(service, { appId: 'rival', environment: 'live' }));
    expect((await waiting).status).toBe(401);
  });
});
