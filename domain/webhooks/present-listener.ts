import { apiTimestamp, apiTimestampOrNull } from '../api/timestamps.js';
import { LISTENER_LIFE_MS } from './listener-limits.js';

export interface ListenerFacts {
  listenerId: string;
  webhookEvents: readonly string[];
  linkId: string | null;
  since: Date | null;
  createdAt: Date;
  lastCalledAt: Date;
}

/** Source: webhooks 13. */
export function presentListener(listener: ListenerFacts) {
  const { listenerId, webhookEvents, linkId, since, createdAt, lastCalledAt } = listener;
  return {
    listener_id: listenerId,
    webhook_events: webhookEvents,
    link_id: linkId,
    since: apiTimestampOrNull(since),
    created_at: apiTimestamp(createdAt),
    ends_at: apiTimestamp(new Date(lastCalledAt.getTime() + LISTENER_LIFE_MS)),
  };
}
