import type { IncomingMessage } from 'node:http';
import { BankError } from './bank-error.js';

const MAX_BODY_BYTES = 16 * 1024;

/** Reads a JSON body, and never more of it than the limit. */
export async function readJsonBody(incoming: IncomingMessage): Promise<unknown> {
  const mediaType = incoming.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') throw new BankError('unsupported_media_type', 'The body must be application/json.');

  const bytes = await readBytes(incoming);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new BankError('invalid_request', 'The body is not valid JSON.');
  }
}

async function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // leaving the loop must not destroy the socket that the refusal is sent on
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    throw new BankError('invalid_request', 'The body did not arrive.');
  }
  if (size > MAX_BODY_BYTES) {
    // the rest is not read: the connection cannot be used again
    throw new BankError('request_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`, { connection: 'close' });
  }
  return Buffer.concat(chunks);
}
