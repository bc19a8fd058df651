import { errorOf } from '../../support/services/api-client.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { newLink, record } from './support/event-log-stage.js';
import { Listener } from './support/listening.js';

apiOfFile();
// An app may have 20.
afterEach(() => service.database.prisma.webhookListener.deleteMany());

const api = () => service.api.as(token);
const listen = (filter: Record<string, unknown> = {}) => Listener.start(api(), filter);
const shown = async (eventId: string) =>
  (await api().get(`/webhooks/events/${eventId}`)).body as {
    status: string;
    attempts: number;
    deliveries: Record<string, unknown>[];
  };

const UNKNOWN = { status: 404, code: 'webhook_error.not_found', locations: [] };

describe('A reported delivery', () => {
  it('appears in the event with the reason `listener`, and changes nothing else', async () => {
    const linkId = await newLink();
    const { eventId } = await record(linkId);
    const before = await shown(eventId);
    const listener = await listen({ link_id: linkId, since: '2020-01-01' });
    const { deliveries } = await listener.page();
    const delivery = deliveries.find(({ event_id: id }) => id === eventId);
    if (delivery === undefined) throw new Error('there is no delivery');
    const refused = await listener.report(delivery, {
      http_status: 500,
      response_excerpt: 'oops',
    });
    expect(refused.body).toEqual({
      delivery_token: delivery.delivery_token,
      event_id: eventId,
      status: 'exhausted',
    });
    const again = (await listener.page()).deliveries.find(({ event_id: id }) => id === eventId);
    expect(again).toMatchObject({ delivery_token: delivery.delivery_token, attempt: 2 });
    expect(again?.headers['service-delivery-attempt']).toBe('2');
    await listener.report(delivery, { attempt: 2, http_status: 204 });
    // A report that is sent twice counts once.
    await listener.report(delivery, { attempt: 2, error: 'timeout' });
    const after = await shown(eventId);
    expect({ ...after, deliveries: after.deliveries.slice(0, 1) }).toEqual(before);
    expect(after.deliveries.slice(1)).toEqual([
      {
        delivery_token: delivery.delivery_token,
        url: null,
        reason: 'listener',
        status: 'delivered',
        created_at: expect.any(String),
        attempts: [
          expect.objectContaining({
            attempt: 1,
            http_status: 500,
            error: 'http_status',
            response_excerpt: 'oops',
          }),
          expect.objectContaining({ attempt: 2, http_status: 204, error: null, duration_ms: 12 }),
        ],
      },
    ]);
  });

  it('without a response has the reported reason', async () => {
    const listener = await listen();
    const { eventId } = await record(await newLink());
    const { deliveries } = await listener.page();
    const [delivery] = deliveries.filter(({ event_id: id }) => id === eventId);
    if (delivery === undefined) throw new Error('there is no delivery');
    expect((await listener.report(delivery, { error: 'timeout' })).body).toMatchObject({
      status: 'exhausted',
    });
    expect((await shown(eventId)).deliveries[1]).toMatchObject({
      attempts: [{ http_status: null, error: 'timeout' }],
    });
  });

  it('keeps its last 20 attempts, whatever the number of reports', async () => {
    const linkId = await newLink();
    const listener = await listen({ link_id: linkId });
    const { eventId } = await record(linkId);
    const [delivery] = (await listener.page()).deliveries;
    if (delivery === undefined) throw new Error('there is no delivery');
    for (let attempt = 1; attempt <= 22; attempt += 1)
      await listener.report(delivery, { attempt, http_status: 500 });
    const { history } = await service.database.prisma.webhookDelivery.findUniqueOrThrow({
      where: { deliveryId: delivery.delivery_token },
    });
    expect(history).toHaveLength(20);
    expect((await shown(eventId)).deliveries[1]).toMatchObject({
      attempts: Array.from({ length: 20 }, (_, index) => ({ attempt: index + 3 })),
    });
    expect((await listener.page()).deliveries).toMatchObject([{ attempt: 23 }]);
  });

  it('among hundreds with thousands of attempts leaves its event readable: with its status, the newest 100 deliveries and their last 20 attempts', async () => {
    const { eventId } = await record(await newLink());
    const { pool } = service.database;
    const [first] = (await shown(eventId)).deliveries;
    await pool.query(
      `INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, newest, reason, status, attempts, history)
       SELECT 'whd_' || translate(lpad(n::text, 22, '0'), '01', 'AB'), e.pk, e.app_id, e.environment, false, 'listener', 'exhausted', 100,
              (SELECT jsonb_agg(jsonb_build_object('attempt', attempt, 'startedAt', '2026-03-02T10:15:31.000Z', 'durationMs', 1, 'httpStatus', 500, 'error', 'http_status', 'responseExcerpt', repeat('x', 512)) ORDER BY attempt) FROM generate_series(1, 100) AS attempt)
         FROM webhook_events e, generate_series(1, 300) AS n WHERE e.event_id = $1`,
      [eventId],
    );
    const { text } = await api().get(`/webhooks/events/${eventId}`);
    expect(text.length).toBeLessThan(100 * 20 * 1_024);
    const { status, deliveries } = JSON.parse(text) as Awaited<ReturnType<typeof shown>>;
    expect({ status, first: deliveries[0], shown: deliveries.length }).toEqual({
      status: 'pending',
      first,
      shown: 100,
    });
    expect(deliveries.at(-1)?.['delivery_token']).toMatch(/3AA$/);
    for (const { attempts } of deliveries.slice(1) as { attempts: { attempt: number }[] }[])
      expect(attempts.map(({ attempt }) => attempt)).toEqual(
        Array.from({ length: 20 }, (_, index) => index + 81),
      );
  });

  it('with a token of another event or listener is unknown', async () => {
    const linkId = await newLink();
    const [one, other] = [await listen(), await listen()];
    await record(linkId);
    await record(linkId);
    const [first, second] = (await one.page()).deliveries;
    if (first === undefined || second === undefined) throw new Error('there is no delivery');
    for (const answer of [
      await one.report({ ...first, event_id: second.event_id }, {}),
      await one.report({ ...first, event_id: 'evt_unknown' }, {}),
      await other.report(first, {}),
    ])
      expect(errorOf(answer)).toEqual(UNKNOWN);
  });

  it('leaves the address to which a replay for a removed link goes', async () => {
    const linkId = await newLink();
    const listener = await listen({ link_id: linkId, since: '2020-01-01' });
    const [delivery] = (await listener.page()).deliveries.slice(-1);
    if (delivery === undefined) throw new Error('there is no delivery');
    await listener.report(delivery, { http_status: 200 });
    await service.database.prisma.link.delete({ where: { linkId } });
    const replay = await api().post(`/webhooks/events/${delivery.event_id}/replay`);
    expect(replay.status).toBe(200);
  });
});
