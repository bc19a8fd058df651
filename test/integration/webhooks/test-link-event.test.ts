import type { Notification } from 'pg';
import { errorOf } from '../../support/services/api-client.js';
import { forceLink, grantProducts } from '../../support/services/api-in-process.js';
import { expectDescribedWebhook } from '../../support/assertions/described-responses.js';
import { eventually } from '../../support/assertions/eventually.js';
import { listenTo } from '../../support/assertions/listen-to.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { HOOK, list, newLink } from './support/event-log-stage.js';

apiOfFile();

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
