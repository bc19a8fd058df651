import type { IncomingMessage } from 'node:http';
import { BankError } from './bank-error.js';

/** Reads a JSON body, up to the limit. */
export async function readJsonBody(incoming: IncomingMessage, maxBytes: number): Promise<unknown> {
  const mediaType = incoming.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json')
    throw new BankError('unsupported_media_type', 'The body must be application/json.');

  const bytes = await readBytes(incoming, maxBytes);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new BankError('invalid_request', 'The body is not valid JSON.');
  }
}

/** Reads a body, up to the limit. */
export async function readBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // leaving the loop must not destroy the socket that carries the refusal
    for await (const chunk of incoming.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw new BankError('invalid_request', 'The body did not arrive.');
  }
  if (size > maxBytes) {
    // the rest is not read, so the connection cannot be reused
    throw new BankError('request_too_large', `The body is larger than ${maxBytes} bytes.`, {
      connection: 'close',
    });
  }
  return Buffer.concat(chunks);
}
