import { eventually } from '../../support/assertions/eventually.js';
import { AppBackEnd } from '../../support/actors/link-journey.js';
import { SandboxCaller } from '../../support/actors/sandbox-caller.js';
import { shareService } from '../../support/fixtures/shared-service.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

interface LoggedEvent {
  event_id: string;
  deliveries: { attempts: { http_status: number | null; response_excerpt: string | null }[] }[];
}

/** The first attempt at an address, as the event log of its app shows it. */
async function firstAttempt(app: AppBackEnd, webhook: string) {
  const { link_id: linkId } = await new SandboxCaller(app).link({ webhook });
  return eventually(async () => {
    const { events } = await app.get<{ events: LoggedEvent[] }>(
      `/webhooks/events?link_id=${linkId}`,
    );
    const event = await app.get<LoggedEvent>(`/webhooks/events/${events[0]?.event_id}`);
    const attempt = event.deliveries[0]?.attempts[0];
    if (attempt === undefined) throw new Error('no attempt was made yet');
    return attempt;
  });
}

// webhooks 7, "Answer": the standalone service lets developers receive on their own computer.
it('A webhook target reveals to an app nothing about the servers that listen beside the service', async () => {
  const {
    info,
    app: { sandbox },
  } = await shareService();
  const app = new AppBackEnd(info.base_url, sandbox);
  const receiver = await WebhookReceiver.start();
  receiver.respondWith({ status: 400, body: 'canary of another service' });
  expect(await firstAttempt(app, receiver.url())).toMatchObject({
    http_status: 400,
    response_excerpt: null,
  });
  const metrics = `${new URL(info.metrics_url).origin}/metrics`;
  expect(await firstAttempt(app, metrics)).toMatchObject({
    http_status: 405,
    response_excerpt: null,
  });
  await receiver.stop();
});
