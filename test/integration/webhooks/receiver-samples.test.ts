import type { WebhookContent } from '../../../domain/webhooks/webhook-bodies.js';
import { signWebhook } from '../../../apps/platform/src/envelopes/sign-webhook.js';
import { recordWebhookEvent } from '../../../prisma/announcements/events/record-webhook-event.js';
import { SigningKeys } from '../../../prisma/base/keys/signing-key.repository.js';
import { describeWithPythonClient } from '../../support/receivers/python-client.js';
import { RunningSample, type Variables } from '../../support/receivers/running-sample.js';
import {
  VECTOR_BODY,
  VECTOR_KEY_ID,
  VECTOR_OWNER,
} from '../../support/receivers/webhook-forgeries.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';
import { WebhookService, storeLink } from './webhook-service.js';

const UPDATES: WebhookContent = {
  webhook_event: 'transactions.updates_available',
  has_history: false,
};

/** The clients verify, and test/e2e/clients/behaviors/webhooks.ts holds them to every forgery. */
function takesDeliveries(start: (variables: Variables) => Promise<RunningSample>): void {
  let service: ApiInProcess;
  let sender: WebhookService;
  let sample: RunningSample;
  beforeAll(async () => {
    service = await startApiInProcess({ WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
    sender = await WebhookService.over(service, service.api.baseUrl);
    sample = await start({ TRIBUTARY_URL: service.api.baseUrl });
  });
  afterAll(async () => {
    sample?.stop();
    await sender?.close();
    await service?.close();
  });

  it('accepts a live delivery and processes it once, however often it arrives', async () => {
    const linkId = await storeLink(service, { webhook: sample.url });
    const { eventId, deliveryId } = await service.ctx.database.transaction(async (tx) =>
      recordWebhookEvent(
        sender.ctx,
        tx,
        await tx.link.findUniqueOrThrow({ where: { linkId } }),
        UPDATES,
      ),
    );
    await sender.attempt({ deliveryId });
    const row = await service.database.prisma.webhookDelivery.findUniqueOrThrow({
      where: { deliveryId },
      include: { event: true },
    });
    expect(row).toMatchObject({ status: 'delivered', history: [{ httpStatus: 204 }] });
    const { idempotencyKey } = row.event;
    await sample.until(new RegExp(`event ${UPDATES.webhook_event} ${linkId} ${idempotencyKey}`));
    await service.api
      .as(await service.token('pocket-ledger'))
      .post(`/webhooks/events/${eventId}/replay`);
    await sender.sendAll();
    await sample.until(new RegExp(`again ${UPDATES.webhook_event} ${idempotencyKey}`));
  });

  it('responds with 400 to a request that the service has not signed', async () => {
    for (const body of ['{}', 'x'.repeat(300_000)])
      expect((await fetch(sample.url, { method: 'POST', body })).status).toBe(400);
    await sample.until(/refused: .*\n.*refused: The body is larger than any event\./);
  });

  it('accepts only events of TRIBUTARY_APP_ID, signed in a header of HEADER_PREFIX', async () => {
    const { baseUrl } = service.api;
    const own = await start({
      TRIBUTARY_URL: baseUrl,
      TRIBUTARY_APP_ID: VECTOR_OWNER.appId,
      HEADER_PREFIX: 'acme',
    });
    const key = await new SigningKeys(service.ctx).current();
    const post = async (appId: string) => {
      const event = { body: VECTOR_BODY, idempotencyKey: VECTOR_KEY_ID, at: new Date() };
      const signature = signWebhook({ ...VECTOR_OWNER, ...event, appId }, key, baseUrl);
      const request = {
        body: new Uint8Array(VECTOR_BODY),
        headers: { 'acme-signature': signature },
      };
      return (await fetch(own.url, { method: 'POST', ...request })).status;
    };
    try {
      expect([await post(VECTOR_OWNER.appId), await post('rival')]).toEqual([204, 400]);
    } finally {
      own.stop();
    }
  });
}

describe('The sample receiver in Node', () => {
  takesDeliveries((variables) => RunningSample.startNode(variables));
});

describeWithPythonClient('The sample receiver in Python', (python) => {
  takesDeliveries((variables) => RunningSample.startPython(python, variables));
});
