import { randomUUID } from 'node:crypto';
import { service, app, sandbox, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { openTcpGate } from '../../support/services/tcp-gate.js';
import { DeveloperCli } from '../../support/actors/developer-cli.js';

serviceOfFile();

let cli: DeveloperCli;
beforeAll(() => {
  cli = new DeveloperCli(service.info.base_url, service.app.sandbox);
});

const link = async () => (await sandbox.link({})).link_id;
const reset = (linkId: string) => app.call('POST', `/links/${linkId}/reset`);
const eventsOf = (linkId: string) =>
  app.get<{ events: { event_id: string }[] }>(`/webhooks/events?link_id=${linkId}`);

describe('tributary listen', () => {
  it('loses and repeats nothing while the connection to the service breaks', async () => {
    const { hostname: host, port } = new URL(service.info.base_url);
    const gate = await openTcpGate({ host, port: Number(port) });
    const linkId = await link();
    const receiver = await WebhookReceiver.start();
    const away = new DeveloperCli(`http://127.0.0.1:${gate.port}`, service.app.sandbox);
    const running = away.start(['listen', '--forward-to', receiver.url(), '--link', linkId]);
    await running.until('Listening.');
    const before = (await eventsOf(linkId)).events.length;
    const happen = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done += 1)
        await sandbox.ask('POST', `/sandbox/links/${linkId}/transactions`, {
          script: [{ verb: 'post', ref: randomUUID(), amount: 1 }],
        });
    };
    await happen(1);
    gate.set('cut');
    await happen(2);
    await running.until('Lost the connection to the service');
    gate.set('open');
    await happen(1);
    const made = (await eventsOf(linkId)).events.length - before;
    await receiver.until(made);
    const keys = receiver.received.map(({ body }) => body.webhook_idempotency_key);
    expect(new Set(keys).size).toBe(made);
    expect(keys).toHaveLength(made);
    running.interrupt();
    expect(await running.ended).toBe(0);
    await receiver.stop();
    await gate.close();
  });

  it('receives, started again after a kill, everything since the time that it is given', async () => {
    const linkId = await link();
    const killed = await WebhookReceiver.start();
    const args = ['listen', '--link', linkId, '--since', '1h', '--forward-to'];
    const first = cli.start([...args, killed.url()]);
    await killed.until(1);
    first.kill();
    await first.ended;
    await reset(linkId);
    const receiver = await WebhookReceiver.start();
    const second = cli.start([...args, receiver.url()]);
    const { events } = await eventsOf(linkId);
    await receiver.until(events.length);
    const keys = receiver.received.map(({ body }) => body.webhook_idempotency_key);
    expect(new Set(keys).size).toBe(events.length);
    second.interrupt();
    expect(await second.ended).toBe(0);
    await Promise.all([killed.stop(), receiver.stop()]);
  });
});
