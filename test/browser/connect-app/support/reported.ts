import { eventually } from '../../../support/assertions/eventually.js';
import type { Opened } from './stage.js';

/** The bank of a scripted session, as messages to the SDK name it. */
export const INSTITUTION = {
  institution_id: 'sandbox-credentials-bank',
  name: 'Credentials Bank',
  country: 'US',
  domain: 'credentials-bank.example',
  color: '#0a6b4f',
  color_dark: '#41c79a',
  logo_url: null,
};

/** The types of the messages of the app after `hello`, with the names of its events. */
export async function typesAfterHello({ heard }: Opened): Promise<string[]> {
  return (await heard())
    .map(({ type, payload }) => (type === 'event' ? `event ${String(payload['name'])}` : type))
    .filter((type) => type !== 'hello');
}

/** The payload of the message that ends a flow, once it has arrived. */
export function ended(
  { heard }: Opened,
  type: 'exit' | 'success',
): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const [message] = await heard(type);
    if (message === undefined) throw new Error(`No ${type} yet.`);
    return message.payload;
  });
}
