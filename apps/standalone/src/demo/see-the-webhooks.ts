import { CallFailure } from './http-calls.js';
import type { Narrator } from './narrator.js';
import type { ReceivedEvent, WebhookReceiver } from './webhook-receiver.js';

const WITHIN_MS = 30_000;

/** The webhooks of link-lifecycle 6.4 for a new link with prefetched transactions. */
const EXPECTED = [
  'link.state_changed connecting',
  'link.state_changed awaiting_token_exchange',
  'link.state_changed connected',
  'link.product_refresh accounts',
  'link.product_refresh transactions',
  'transactions.updates_available',
];

/** Waits for the webhooks of the link and prints them; each was verified on arrival. */
export async function seeTheWebhooks(
  narrator: Narrator,
  receiver: WebhookReceiver,
  linkId: string,
): Promise<void> {
  narrator.step(
    'Meanwhile the app has received webhooks',
    'verified with GET /.well-known/jwks.json',
  );
  await receiver.waitFor(EXPECTED.length, WITHIN_MS);
  const events = [...receiver.events].sort((one, other) =>
    one.webhook_timestamp.localeCompare(other.webhook_timestamp),
  );
  narrator.rows(
    events.map((event) => [
      `✓ ${event.webhook_event}`,
      subjectOf(event),
      `attempt ${event.attempt}`,
      `signed by ${event.kid.slice(0, 8)}…`,
    ]),
  );
  if (receiver.rejected.length > 0)
    throw new CallFailure(`a webhook was not acceptable: ${receiver.rejected.join('; ')}`);
  const names = events.map((event) => `${event.webhook_event} ${subjectOf(event)}`.trim());
  const missing = EXPECTED.filter((expected) => !names.some((name) => name.startsWith(expected)));
  if (missing.length > 0)
    throw new CallFailure(
      `these webhooks did not come within ${WITHIN_MS / 1000} s: ${missing.join(', ')}`,
    );
  if (events.some((event) => event.link_id !== linkId))
    throw new CallFailure('a webhook names another link');
}

const subjectOf = (event: ReceivedEvent): string =>
  event.state !== undefined && event.product === undefined
    ? event.state
    : (event.product ??
      (event.has_history === undefined ? '' : `has_history ${event.has_history}`));
