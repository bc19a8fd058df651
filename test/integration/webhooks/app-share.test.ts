import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../support/assertions/eventually.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { WebhookService } from './webhook-service.js';

const ENDPOINTS = 400;
const PER_ENDPOINT = 4;

/** Listens at every loopback address, and never responds. */
class HangingReceivers {
  readonly open = new Set<ServerResponse>();
  maxOpen = 0;
  private readonly server: Server = createServer((_request, response) => {
    this.open.add(response);
    this.maxOpen = Math.max(this.maxOpen, this.open.size);
  });

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '0.0.0.0', resolve);
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(index: number): string {
    return `http://127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}:${this.port}/hooks`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('The attempts in flight of one app', () => {
  let hanging: HangingReceivers;
  let service: WebhookService;

  beforeEach(async () => {
    hanging = new HangingReceivers();
    await hanging.listen();
  });
  afterEach(async () => {
    await service.close();
    await hanging.close();
  });

  it('are limited: 400 of its endpoints that hang do not delay the webhook of another app', async () => {
    service = await WebhookService.open({ timeoutMs: 60_000, attemptsPerApp: 200 });
    const healthy = await WebhookReceiver.start();
    const waiting = await service.record(await service.addLink(hanging.url(0)));
    await service.ctx.database.pool.query(MANY_DELIVERIES, [
      waiting.deliveryId,
      ENDPOINTS,
      PER_ENDPOINT,
      hanging.port,
    ]);
    service.relay.start();
    await eventually(() => {
      expect(hanging.open.size).toBeGreaterThanOrEqual(200);
    });

    const neighbor = await service.addLink(healthy.url());
    await service.ctx.database.prisma.link.update({
      where: { pk: neighbor.pk },
      data: { appId: 'neighbor' },
    });
    for (let index = 0; index < 20; index += 1) await service.record(neighbor);
    service.relay.wake();
    await healthy.until(20);
    expect(hanging.maxOpen).toBe(200);
    await healthy.stop();
  });

  it('are limited for retries, too: a further one returns later and holds no slot of its endpoint in the meantime', async () => {
    service = await WebhookService.open({ timeoutMs: 60_000, attemptsPerApp: 2 });
    const deliveries = [];
    for (const index of [1, 2, 3])
      deliveries.push(await service.record(await service.addLink(hanging.url(index))));
    const [first, second, third] = deliveries;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('nothing was recorded');
    const inFlight = [first, second].map((delivery) => service.attempt(delivery));
    await eventually(() => {
      expect(hanging.open.size).toBe(2);
    });
    expect(await service.attempt(third)).toMatchObject({ failure: 'NoSlot' });
    expect(await service.isLeased(third)).toBe(false);
    for (const response of hanging.open) response.writeHead(204).end();
    expect(await Promise.all(inFlight)).toMatchObject([
      { end: { status: 'delivered' } },
      { end: { status: 'delivered' } },
    ]);
    hanging.open.clear();
    const last = service.attempt(third);
    await eventually(() => {
      expect(hanging.open.size).toBe(1);
    });
    for (const response of hanging.open) response.writeHead(204).end();
    expect(await last).toMatchObject({ end: { status: 'delivered' } });
  });
});

/** Copies a delivery $1 and its event: $2 endpoints, $3 at each, at the port $4. */
const MANY_DELIVERIES = `
  WITH events AS (
    INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, format, body, body_sha256)
    SELECT e.event_id || '/' || n, e.app_id, e.environment, e.link_id, e.webhook_event, e.idempotency_key || n, e.origin, e.format, e.body, e.body_sha256
      FROM webhook_events e JOIN webhook_deliveries d ON d.event_pk = e.pk CROSS JOIN generate_series(1, $2::int * $3::int) AS n
     WHERE d.delivery_id = $1
    RETURNING pk, app_id, environment
  ), placed AS (
    SELECT *, (row_number() OVER (ORDER BY pk))::int % $2::int AS place FROM events
  ), addressed AS (
    SELECT *, 'http://127.0.' || (1 + place / 250) || '.' || (1 + place % 250) || ':' || $4::int AS endpoint FROM placed
  )
  INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, url, endpoint, reason, status, attempts, next_attempt_at)
  SELECT 'whd_' || pk, pk, app_id, environment, endpoint || '/hooks', endpoint, 'event', 'pending', 0, now() FROM addressed`;
