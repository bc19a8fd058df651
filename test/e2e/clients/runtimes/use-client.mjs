import { memoryStore, NotFoundError, Tributary, WebhookVerificationError } from '@tributary/node';

/**
 * Uses the client as the back end of an app does, with nothing of the runtime but what the client uses.
 * @param options of the client; those that are missing are read from the environment
 * @returns what it saw, as JSON
 */
export async function useClient(options) {
  const client = new Tributary(options);
  const { link_id: linkId } = await client.sandbox.createLink({ customer_user: { id: 'user-1' } });

  const listed = new Set();
  for await (const { transaction_id: id } of client.transactions.list(linkId, { size: 25 }))
    listed.add(id);
  const store = memoryStore();
  const synced = await client.transactions.syncInto(linkId, store, { size: 25 });
  const copied = store.transactions(linkId).filter(({ transaction_id: id }) => listed.has(id));

  const { listener_id: listenerId } = await client.webhooks.createListener({
    link_id: linkId,
    since: '2020-01-01',
  });
  const {
    deliveries: [delivery],
  } = await client.webhooks.listListenerDeliveries(listenerId, { wait: 25 });
  const { body, headers } = delivery;
  const event = await client.webhooks.verify(body, new Headers(headers));
  const handle = client.webhooks.fetchHandler(() => undefined);
  const request = new Request('https://app.example/hooks', { method: 'POST', headers, body });

  return {
    listed: listed.size,
    synced,
    copied: copied.length,
    missing: await refusalOf(client.links.get('mk_unknown'), NotFoundError),
    verified: [event.webhook_event, event.link_id === linkId],
    handled: (await handle(request)).status,
    forged: await refusalOf(
      client.webhooks.verify(body.replace(linkId, 'mk_unknown'), headers),
      WebhookVerificationError,
    ),
  };
}

async function refusalOf(call, family) {
  try {
    await call;
  } catch (error) {
    if (error instanceof family) return [error.name, error.code];
    throw error;
  }
  return 'no error';
}
