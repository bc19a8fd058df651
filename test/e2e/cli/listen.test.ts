import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd, expectStatus, INSTANT_BANK } from '../../support/actors/link-journey.js';
import { operate } from '../../support/actors/operator.js';
import { service, app, sandbox, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { DeveloperCli } from '../../support/actors/developer-cli.js';

interface LoggedEvent {
  event_id: string;
  status: string;
  deliveries: { reason: string; status: string; attempts: { http_status: number }[] }[];
}

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
  it('forwards each webhook to a receiver that verifies it, reports the response, and ends cleanly', async () => {
    const linkId = await link();
    const receiver = await WebhookReceiver.start({ verify: service.info.base_url });
    const running = cli.start(['listen', '--forward-to', receiver.url(), '--link', linkId]);
    await running.until('Listening.');
    await reset(linkId);
    await receiver.until(1);
    await running.until(/link\.state_changed {2}mk_\S+ {2}204 {2}\d+ ms/);
    const [event] = (await eventsOf(linkId)).events.slice(-1);
    const reported = await eventually(async () => {
      const found = await app.get<LoggedEvent>(`/webhooks/events/${event?.event_id}`);
      if (found.deliveries.length < 2) throw new Error('it is not reported yet');
      return found;
    });
    expect(reported).toMatchObject({
      status: 'no_address',
      deliveries: [
        {},
        { reason: 'listener', status: 'delivered', attempts: [{ http_status: 204 }] },
      ],
    });
    expect(receiver.received.map(({ refused }) => refused)).toEqual([null]);
    running.interrupt();
    expect(await running.ended).toBe(0);
    expect(running.stderr).toContain('Stopped listening.');
    await receiver.stop();
  });

  it('shows a receiver that is not there, and goes on', async () => {
    const linkId = await link();
    const gone = await WebhookReceiver.start();
    await gone.stop();
    const running = cli.start([
      'listen',
      '--forward-to',
      gone.url(),
      '--link',
      linkId,
      '--since',
      '1h',
      '--json',
    ]);
    const lines = await eventually(() => {
      const found = running.stdout.split('\n').filter((line) => line !== '');
      if (found.length < 3) throw new Error('not all events were forwarded');
      return found.map((line) => JSON.parse(line) as Record<string, unknown>);
    });
    expect(lines[0]).toMatchObject({ http_status: null, error: 'connect', attempt: 1 });
    running.interrupt();
    expect(await running.ended).toBe(0);
  });

  it('says at the start that nothing listens at the address', async () => {
    const gone = await WebhookReceiver.start();
    await gone.stop();
    const running = cli.start(['listen', '--forward-to', gone.url()]);
    await running.until(`Nothing listens at ${gone.url()} yet`);
    await running.until('Listening.');
    running.interrupt();
    expect(await running.ended).toBe(0);
  });

  it('sends the last webhook again at the key r', async () => {
    const linkId = await link();
    const receiver = await WebhookReceiver.start({ verify: service.info.base_url });
    const running = cli.startAtTerminal([
      'listen',
      '--forward-to',
      receiver.url(),
      '--link',
      linkId,
    ]);
    await running.until('r replays the last one');
    await reset(linkId);
    await receiver.until(1);
    await running.until('204');
    running.type('r');
    await receiver.until(2);
    const [first, second] = receiver.received;
    expect(second?.rawBody).toEqual(first?.rawBody);
    expect(second?.refused).toBeNull();
    expect(second?.headers['service-delivery-token']).toBe(
      first?.headers['service-delivery-token'],
    );
    running.type('\u0003');
    expect(await running.ended).toBe(0);
    await receiver.stop();
  });
});

describe('tributary listen in Live', () => {
  const allow = (value: 'on' | 'off') =>
    operate(service.dataDir, 'apps', 'update', service.app.app_id, '--live-listening', value);
  const inLive = () => new DeveloperCli(service.info.base_url, service.app.live);
  const cause = expect.stringMatching(/^This app may listen to webhooks in Sandbox only\. \(403 /);
  const next = () =>
    `Listen with a Sandbox key pair, or ask the operator of the service to allow it: npm run -s operator -- apps update ${service.app.app_id} --live-listening on`;

  it('says that the operator has to allow it, and how', async () => {
    const args = ['listen', '--forward-to', 'http://127.0.0.1:1/hooks'];
    const { status, stdout, stderr } = await inLive().run(args);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr.split('\n')).toEqual([cause, next(), '']);
    expect(JSON.parse((await inLive().run([...args, '--json'])).stderr)).toEqual({
      error: { cause, next: next(), code: 'api_error.sandbox_only' },
    });
  });

  it('forwards webhooks once the operator allows it, until it is withdrawn', async () => {
    const live = new AppBackEnd(service.info.base_url, service.app.live);
    const happen = () =>
      expectStatus(
        200,
        live.call<{ link_id: string }>('POST', '/links/import', {
          body: {
            customer_user: { id: 'user-1' },
            institution_id: INSTANT_BANK,
            accounts: [
              {
                account_id: '1',
                name: 'Everyday',
                type: 'checking',
                balances: { currency: 'USD' },
              },
            ],
          },
        }),
      );
    await allow('on');
    const receiver = await WebhookReceiver.start({ verify: service.info.base_url });
    const running = inLive().start(['listen', '--forward-to', receiver.url()]);
    await running.until('Listening.');
    const { link_id: linkId } = await happen();
    await running.until('204');
    await allow('off');
    await happen();
    expect(await running.ended).toBe(3);
    expect(running.stderr.split('\n').slice(-3)).toEqual([cause, next(), '']);
    expect(receiver.received.map(({ refused, body }) => [refused, body.link_id])).toEqual([
      [null, linkId],
    ]);
    await receiver.stop();
  });
});
