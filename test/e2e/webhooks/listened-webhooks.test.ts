import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd, expectStatus } from '../../support/actors/link-journey.js';
import { SandboxCaller } from '../../support/actors/sandbox-caller.js';
import { shareService } from '../../support/fixtures/shared-service.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

interface Page {
  deliveries: { headers: Record<string, string>; body: string }[];
}

/** Headers that differ between two deliveries of an event, and those of the connection. */
const OF_THE_DELIVERY =
  /^(service-signature|service-delivery-token|host|connection|content-length)$/;

// webhooks 13
it('A listener gets the request that the address of the link gets, byte for byte', async () => {
  const {
    info,
    app: { sandbox },
  } = await shareService();
  const app = new AppBackEnd(info.base_url, sandbox);
  const receiver = await WebhookReceiver.start();
  const { listener_id: id } = await expectStatus(
    200,
    app.call<{ listener_id: string }>('POST', '/webhooks/listeners', {
      body: { webhook_events: ['link.state_changed'] },
    }),
  );
  await new SandboxCaller(app).link({ webhook: receiver.url() });
  const { deliveries } = await app.get<Page>(`/webhooks/listeners/${id}/deliveries?wait=25`);
  const [listened] = deliveries;
  if (listened === undefined) throw new Error('nothing was heard');
  const received = await eventually(() => {
    const found = receiver.received.find(({ rawBody }) => rawBody.toString() === listened.body);
    if (found === undefined) throw new Error('the address has not received it yet');
    return found;
  });
  const stable = (headers: object) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_DELIVERY.test(name)));
  expect(stable(listened.headers)).toEqual(stable(received.headers));
  const claims = (signature: string) =>
    JSON.parse(Buffer.from(signature.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >;
  const sent = claims(String(received.headers['service-signature']));
  expect(claims(listened.headers['service-signature'] ?? '')).toEqual({
    ...sent,
    iat: expect.any(Number),
  });
  await receiver.stop();
});
