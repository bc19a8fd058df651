import { DeveloperCli } from '../../support/actors/developer-cli.js';
import { eventually } from '../../support/assertions/eventually.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { clientId, clientSecret } from '../../support/services/api-in-process.js';
import { apiOfFile, service } from '../../support/services/api-of-file.js';
import { newLink, record } from './support/event-log-stage.js';

apiOfFile({ ACCESS_TOKEN_TTL: '2s' });

async function tokens(condition = 'true'): Promise<number> {
  const { rows } = await service.database.pool.query<{ count: string }>(
    `SELECT count(*) FROM access_tokens WHERE ${condition}`,
  );
  return Number(rows[0]?.count);
}

/** Records an event once every token has expired, and waits for the token that replaces it. */
async function recordAfterExpiry(linkId: string): Promise<void> {
  await eventually(async () => expect(await tokens('expires_at > now()')).toBe(0));
  const before = await tokens();
  await record(linkId);
  await eventually(async () => expect(await tokens()).toBeGreaterThan(before));
}

it('tributary listen loses and repeats nothing while its access tokens expire, several of them during one wait', async () => {
  const linkId = await newLink();
  const otherId = await newLink();
  const receiver = await WebhookReceiver.start();
  const cli = new DeveloperCli(service.api.baseUrl, {
    client_id: clientId('pocket-ledger', 'sandbox'),
    client_secret: clientSecret('pocket-ledger', 'sandbox'),
  });
  const running = cli.start(['listen', '--forward-to', receiver.url(), '--link', linkId]);
  await running.until('Listening.');
  // An event of another link makes the service look at the token of the call, which waits on.
  for (const each of [otherId, otherId, linkId, linkId]) await recordAfterExpiry(each);
  await receiver.until(2);
  await eventually(async () => {
    const reported = "SELECT FROM webhook_deliveries WHERE reason = 'listener'";
    expect((await service.database.pool.query(reported)).rowCount).toBe(2);
  });
  running.interrupt();
  expect(await running.ended).toBe(0);
  const keys = receiver.received.map(({ body }) => body.webhook_idempotency_key);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(2);
  expect(running.stderr).not.toContain('lost');
  await receiver.stop();
});
