import { randomUUID } from 'node:crypto';
import { storedAttempt } from '../../../prisma/announcements/webhooks/attempt-history.js';
import { errorOf } from '../../support/services/api-client.js';
import { connectedLink } from '../../support/services/api-in-process.js';
import { expectDescribedWebhook } from '../../support/assertions/described-responses.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { HOOK, idsOf, list, newLink, record, UPDATES } from './support/event-log-stage.js';

apiOfFile();

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
