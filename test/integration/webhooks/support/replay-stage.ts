import type { WebhookContent } from '../../../../domain/webhooks/webhook-bodies.js';
import {
  recordWebhookEvent,
  type RecordedEvent,
} from '../../../../prisma/announcements/events/record-webhook-event.js';
import { apiOfFile, service, token } from '../../../support/services/api-of-file.js';
import {
  createVerifier,
  publishedKeys,
  WebhookReceiver,
  type ReceiverResponse,
} from '../../../support/receivers/webhook-receiver.js';
import { BASE_URL, WebhookService, storeLink } from '../webhook-service.js';

const UPDATES: WebhookContent = {
  webhook_event: 'transactions.updates_available',
  has_history: false,
};
export const EVERYTHING = '2020-01-01T00:00:00.000';
export const DOWN: ReceiverResponse = { status: 500 };
export const HOUR_MS = 3_600_000;

interface ShownDelivery {
  delivery_token: string;
  url: string | null;
  reason: string;
  status: string;
  attempts: unknown[];
}
export interface ShownEvent {
  event_id: string;
  status: string;
  attempts: number;
  next_attempt_at: string | null;
  body_sha256: string;
  deliveries: ShownDelivery[];
}

export { service, token } from '../../../support/services/api-of-file.js';
export let sender: WebhookService;
export let receiver: WebhookReceiver;
export let linkId: string;

/** Starts an API, the sending side of its webhooks, and a receiver of them. */
export function startReplays(): void {
  afterAll(async () => {
    await receiver?.stop();
    await sender?.close();
  });
  apiOfFile({ WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
  beforeAll(async () => {
    sender = await WebhookService.over(service);
    const verify = createVerifier(BASE_URL, publishedKeys(service.api.baseUrl));
    receiver = await WebhookReceiver.start({
      verify: (rawBody, signature) => verify(rawBody, signature, sender.ctx.clock()),
    });
  });

  beforeEach(async () => {
    receiver.received.length = 0;
    receiver.respondWith({ status: 204 });
    linkId = await storeLink(service, { webhook: receiver.url() });
  });

  afterEach(async () => {
    await service.database.prisma.webhookEvent.deleteMany();
    await service.database.prisma.outboxCommand.deleteMany();
  });
}

export async function record(of = linkId): Promise<RecordedEvent> {
  return service.ctx.database.transaction(async (tx) =>
    recordWebhookEvent(
      sender.ctx,
      tx,
      await tx.link.findUniqueOrThrow({ where: { linkId: of } }),
      UPDATES,
    ),
  );
}
export async function recordSome(count: number, of = linkId): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await record(of)).eventId);
  return ids;
}
export const show = async (eventId: string) =>
  (await service.api.as(token).get(`/webhooks/events/${eventId}`)).body as ShownEvent;
export const replay = (eventId: string, bearer = token) =>
  service.api.as(bearer).post(`/webhooks/events/${eventId}/replay`);
export const replayRange = async (json: Record<string, unknown> = {}, bearer = token) => {
  const { status, body, text } = await service.api.as(bearer).post('/webhooks/events/replay', {
    json: { created_after: EVERYTHING, created_before: '2100-01-01', ...json },
  });
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return body as { matched: number; replayed: number; skipped: number; dry_run: boolean };
};
export const patch = (of: string, json: unknown) =>
  service.api.as(token).send('PATCH', `/links/${of}`, { json });
