import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { AppBackEnd, expectStatus } from '../../support/actors/link-journey.js';
import { SandboxCaller } from '../../support/actors/sandbox-caller.js';
import { checkLogLines } from '../../support/assertions/check-log-lines.mjs';
import { eventually } from '../../support/assertions/eventually.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { Standalone } from '../../support/services/standalone.js';

const ENTRY = fileURLToPath(new URL('../../../dist/apps/webhooks/src/main.js', import.meta.url));

interface LoggedEvent {
  event_id: string;
  origin: string;
  status: string;
  deliveries: { attempts: { attempt: number; started_at: string }[] }[];
}

let service: Standalone;
let app: AppBackEnd;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  service = await Standalone.start({ env: { RATE_LIMIT_API: 'off' } });
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.stop();
  await service?.dispose();
});

/** A receiver and a link whose first events it has received. */
async function quietLink(): Promise<{ receiver: WebhookReceiver; linkId: string }> {
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  const { link_id: linkId } = await new SandboxCaller(app).link({ webhook: receiver.url() });
  await eventually(async () => {
    const { events } = await app.get<{ events: LoggedEvent[] }>(
      `/webhooks/events?link_id=${linkId}`,
    );
    expect(events.length).toBeGreaterThan(2);
    expect(new Set(events.map(({ status }) => status))).toEqual(new Set(['delivered']));
  });
  return { receiver, linkId };
}

/** Twenty at a time: the calls of one app share a limited number of connections. */
async function sendTests(linkId: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, count - sent) }, (_, index) =>
        expectStatus(
          200,
          app.call('POST', `/webhooks/test/link/${linkId}`, {
            body: {
              webhook_event: 'link.state_changed',
              webhook_idempotency_key: `test-${sent + index}`,
            },
          }),
        ),
      ),
    );
}

const testEvents = async (linkId: string): Promise<LoggedEvent[]> =>
  (
    await app.get<{ events: LoggedEvent[] }>(`/webhooks/events?link_id=${linkId}&limit=500`)
  ).events.filter(({ origin }) => origin === 'test');

describe('Deliveries that fail together at one endpoint', () => {
  it('have their second attempts at their planned times, 50 at once', async () => {
    const { receiver, linkId } = await quietLink();
    receiver.respondWith(({ headers }) => ({
      status: headers['service-delivery-attempt'] === '1' ? 500 : 204,
    }));
    await sendTests(linkId, 50);
    const events = await eventually(async () => {
      const found = await testEvents(linkId);
      expect(found.filter(({ status }) => status === 'delivered')).toHaveLength(50);
      return found;
    });
    const gapsMs: number[] = [];
    for (const { event_id: eventId } of events) {
      const { deliveries } = await app.get<LoggedEvent>(`/webhooks/events/${eventId}`);
      const [first, second] = (deliveries[0]?.attempts ?? []).map(({ started_at: at }) =>
        Date.parse(`${at}Z`),
      );
      gapsMs.push((second ?? Number.NaN) - (first ?? Number.NaN));
    }
    gapsMs.sort((one, other) => one - other);
    expect(gapsMs.at(0)).toBeGreaterThanOrEqual(4_500);
    // Planned 5 s ± 10 % after the first; the third attempt is planned 30 s after it.
    expect(gapsMs.filter((gap) => gap > 30_000)).toEqual([]);
    const metrics = await (await fetch(service.info.webhooks_metrics_url)).text();
    expect(metrics).toMatch(/^tributary_webhook_retries_late 0$/m);
  });
});

describe('A second webhooks process', () => {
  it('shares the work with the first: nothing is sent twice, and the cap of 8 per endpoint holds', async () => {
    const { receiver, linkId } = await quietLink();
    const before = receiver.received.length;
    const second = await startSecondProcess();
    try {
      await sendTests(linkId, 200);
      const received = (await receiver.until(before + 200)).slice(before);
      await eventually(async () =>
        expect(
          (await testEvents(linkId)).filter(({ status }) => status === 'delivered'),
        ).toHaveLength(200),
      );
      expect(receiver.received).toHaveLength(before + 200);
      expect(new Set(received.map(({ headers }) => headers['service-delivery-token'])).size).toBe(
        200,
      );
      expect(receiver.maxOpen).toBeLessThanOrEqual(8);
      const made = second.attempted();
      expect(made).toBeGreaterThan(0);
      expect(made).toBeLessThan(200);
    } finally {
      second.child.kill('SIGTERM');
      await once(second.child, 'close');
    }
    checkLogLines(second.output(), 'the second webhooks process');
  });
});

async function startSecondProcess(): Promise<{
  child: ChildProcess;
  attempted: () => number;
  output: () => string;
}> {
  const { master_keys: masterKeys } = JSON.parse(
    readFileSync(join(service.dataDir, 'secrets.json'), 'utf8'),
  ) as { master_keys: string };
  const port = await freePort('127.0.0.1');
  const child = spawn(process.execPath, [ENTRY], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: service.info.database_url,
      MASTER_KEYS: masterKeys,
      BASE_URL: service.info.base_url,
      WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
      WEBHOOKS_METRICS_PORT: String(port),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  await eventually(async () => {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`);
    expect(response.status).toBe(200);
  });
  return {
    child,
    attempted: () => output.split('"webhook.attempted"').length - 1,
    output: () => output,
  };
}
