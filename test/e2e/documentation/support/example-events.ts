import { randomUUID } from 'node:crypto';
import { eventually } from '../../../support/assertions/eventually.js';
import type { ExampleCalls } from './example-calls.js';

interface LoggedEvent {
  event_id: string;
  status: string;
  webhook_event: string;
}

/** Calls the log of events and a listener, once every event of the link was delivered. */
export async function readEvents(calls: ExampleCalls, linkId: string): Promise<void> {
  const query = `link_id=${linkId}`;
  for (const event of [
    'link.permission_expiring',
    'transactions.updates_available',
    'investments.updates_available',
  ])
    await calls.call('webhooks.sendTestEvent', {
      path: { id: linkId },
      json: { webhook_event: event, webhook_idempotency_key: randomUUID() },
    });
  const events = await eventually(async () => {
    const page = await calls.call<{ events: LoggedEvent[] }>('webhooks.listEvents', { query });
    if (page.events.some(({ status }) => status !== 'delivered')) {
      calls.made.delete('webhooks.listEvents');
      throw new Error(`not delivered: ${JSON.stringify(page.events)}`);
    }
    return page.events;
  });
  const path = { id: events[0]?.event_id ?? '' };
  await calls.call('webhooks.getEvent', { path });
  await calls.call('webhooks.replayEvent', { path });
  const { listener_id: listener } = await calls.call<{ listener_id: string }>(
    'webhooks.createListener',
    { json: { webhook_events: ['link.state_changed'], since: '2026-03-02T00:00:00Z' } },
  );
  const {
    deliveries: [delivery],
  } = await calls.call<{ deliveries: { delivery_token: string; event_id: string }[] }>(
    'webhooks.listListenerDeliveries',
    { path: { id: listener }, query: 'limit=1' },
  );
  await calls.call('webhooks.reportListenerDelivery', {
    path: { id: listener, token: delivery?.delivery_token ?? '' },
    json: { event_id: delivery?.event_id, http_status: 200, duration_ms: 12 },
  });
  await calls.call('webhooks.replayEvents', {
    json: { created_after: '2026-03-02T00:00:00Z', status: ['exhausted'], dry_run: true },
  });
}
