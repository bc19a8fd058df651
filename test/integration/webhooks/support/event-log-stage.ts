import type { WebhookContent } from '../../../../domain/webhooks/webhook-bodies.js';
import {
  recordWebhookEvent,
  type RecordedEvent,
} from '../../../../prisma/announcements/events/record-webhook-event.js';
import type { AppId } from '../../../support/services/api-in-process.js';
import { service, token } from '../../../support/services/api-of-file.js';
import { CONNECTED, storeLink } from '../webhook-service.js';

interface EventBody {
  event_id: string;
  link_id: string;
  webhook_event: string;
  created_at: string;
  status: string;
  origin: string;
  body: Record<string, unknown>;
}
interface EventsBody {
  events: EventBody[];
  cursor: { next: string };
  has_more: boolean;
}

export const HOOK = 'https://hooks.example/bank';
export const UPDATES: WebhookContent = {
  webhook_event: 'transactions.updates_available',
  has_history: false,
};

export const list = async (
  query: Record<string, string | string[]> = {},
  bearer = token,
): Promise<EventsBody> => {
  const answer = await service.api
    .as(bearer)
    .get(
      `/webhooks/events?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])))}`,
    );
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body as EventsBody;
};
export const idsOf = ({ events }: EventsBody) => events.map(({ event_id: id }) => id);
/** A connected link with three events. */
export async function newLink(
  { webhook = HOOK, tags = [] }: { webhook?: string | null; tags?: string[] } = {},
  appId: AppId = 'pocket-ledger',
): Promise<string> {
  const linkId = await storeLink(service, { appId, webhook, tags });
  for (let index = 0; index < 3; index += 1) await record(linkId, CONNECTED);
  return linkId;
}

export async function record(
  linkId: string,
  content: WebhookContent = UPDATES,
): Promise<RecordedEvent> {
  return service.ctx.database.transaction(async (tx) =>
    recordWebhookEvent(
      service.ctx,
      tx,
      await tx.link.findUniqueOrThrow({ where: { linkId } }),
      content,
    ),
  );
}
