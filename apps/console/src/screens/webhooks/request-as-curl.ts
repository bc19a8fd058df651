import type { EventRequest } from '../../../../console-server/src/operations/webhooks/webhook-answers.js';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request for a receiver on the reader's own computer, byte for byte. */
export function requestAsCurl(
  { headers, body }: Pick<EventRequest, 'headers' | 'body'>,
  receiver: string,
): string {
  return [
    `curl -i ${receiver}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${quoted(body)}`,
  ].join(' \\\n  ');
}
