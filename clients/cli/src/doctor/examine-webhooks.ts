import { AuthenticationError, type Tributary, type WebhookEvent } from '@tributary/node';
import { printable } from '../../../terminal/src/printable.js';
import type { Finding } from './finding.js';

const LOOKED_AT = 100;
const SUBJECT = 'Webhooks';
const LISTEN =
  'On this computer, `tributary listen --forward-to URL` receives them without an address.';

/** Checks by the newest events of the log that the receivers of the app were reached. */
export async function examineWebhooks(client: Tributary): Promise<Finding> {
  let events: WebhookEvent[];
  try {
    ({ items: events } = await client.webhooks
      .listEvents({ order: 'desc', limit: LOOKED_AT })
      .page());
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    return note('The key pair may not read the log of events.', 'Give it the scope webhooks:read.');
  }
  const failed = events.filter(({ status }) => status === 'exhausted' || status === 'disabled');
  const retried = events.filter(({ status, attempts }) => status === 'pending' && attempts > 0);
  const [newest] = [...failed, ...retried];
  if (newest !== undefined) {
    const text = `Of the last ${events.length} events, ${failed.length} were not delivered and ${retried.length} are tried again: ${await reasonOf(client, newest)}`;
    return {
      subject: SUBJECT,
      verdict: failed.length > 0 ? 'bad' : 'warning',
      text,
      next: `See \`tributary events get ${newest.event_id}\`; once the receiver works, \`tributary replay --since 1d\`.`,
    };
  }
  const delivered = events.filter(({ status }) => status === 'delivered').length;
  if (delivered > 0)
    return {
      subject: SUBJECT,
      verdict: 'good',
      text: `Of the last ${events.length} events, ${delivered} were delivered and none failed.`,
      next: null,
    };
  return events.length === 0
    ? note('No events yet.', LISTEN)
    : note(`The last ${events.length} events had no webhook URL.`, LISTEN);
}

async function reasonOf(client: Tributary, { event_id: id }: WebhookEvent): Promise<string> {
  const { deliveries } = await client.webhooks.getEvent(id);
  const sent = deliveries.filter(({ reason }) => reason !== 'listener').at(-1);
  const attempt = sent?.attempts.at(-1);
  const answer =
    attempt?.http_status === null || attempt === undefined
      ? `no response (${attempt?.error ?? 'not tried'})`
      : `the response ${attempt.http_status}`;
  return `${printable(sent?.url ?? 'the address')} returned ${answer}.`;
}

function note(text: string, next: string): Finding {
  return { subject: SUBJECT, verdict: 'warning', text, next };
}
