import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { DeveloperCli } from '../../support/actors/developer-cli.js';
import { eventually } from '../../support/assertions/eventually.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { clientId, clientSecret } from '../../support/services/api-in-process.js';
import { apiOfFile, service } from '../../support/services/api-of-file.js';
import { newLink, record } from './support/event-log-stage.js';

const EVENTS = 10_000;
const WRITERS = 4;

apiOfFile();

/** One address for an API that is restarted at another port. */
async function movingAddress(): Promise<{ url: string; lead(url: string): void; close(): void }> {
  let port = 0;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (url) => (port = Number(new URL(url).port)),
    close: () => server.close(),
  };
}

it('tributary listen forwards each of 10,000 events once, over a restart of the API', async () => {
  const linkId = await newLink();
  const address = await movingAddress();
  let api = await service.another();
  address.lead(api.api.baseUrl);
  const receiver = await WebhookReceiver.start();
  const pair = {
    client_id: clientId('pocket-ledger', 'sandbox'),
    client_secret: clientSecret('pocket-ledger', 'sandbox'),
  };
  const cli = new DeveloperCli(address.url, pair);
  const running = cli.start(['listen', '--forward-to', receiver.url(), '--link', linkId]);
  await running.until('Listening.');
  const write = async (): Promise<void> => {
    for (let made = 0; made < EVENTS / WRITERS; made += 1) await record(linkId);
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, write));
  await receiver.until(EVENTS / 4);
  await api.close();
  api = await service.another();
  address.lead(api.api.baseUrl);
  await writing;
  await eventually(
    () => {
      if (receiver.received.length < EVENTS) throw new Error(`${receiver.received.length} arrived`);
    },
    { within: 400_000 },
  );
  const keys = receiver.received.map(({ body }) => body.webhook_idempotency_key);
  expect(new Set(keys).size).toBe(EVENTS);
  expect(keys).toHaveLength(EVENTS);
  running.interrupt();
  expect(await running.ended).toBe(0);
  await Promise.all([receiver.stop(), api.close()]);
  address.close();
}, 600_000);
