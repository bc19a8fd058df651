import type { IncomingMessage } from 'node:http';
import { PLAID_LIMITS } from '../../http/input/input-limits.js';
import { isExpectedMediaType } from '../../http/input/media-type.js';
import { readBody } from '../../http/input/read-body.js';
import { readJson, type Reading } from '../../http/input/read-input.js';
import { PlaidError } from '../errors/plaid-error.js';

/** The body as one JSON object; a missing content type is read as JSON. Source: plaid-compat 1.1. @throws PlaidError */
export async function readPlaidBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const contentType = request.headers['content-type'] ?? 'application/json';
  if (!isExpectedMediaType({ ...request.headers, 'content-type': contentType }, 'json'))
    throw new PlaidError('INVALID_BODY');
  const reading = await readLimited(request);
  if ('issue' in reading) throw new PlaidError('INVALID_BODY');
  const { value: body } = reading;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new PlaidError('INVALID_BODY');
  return body as Record<string, unknown>;
}

async function readLimited(request: IncomingMessage): Promise<Reading> {
  try {
    return readJson(await readBody(request, PLAID_LIMITS.bytes), PLAID_LIMITS);
  } catch {
    throw new PlaidError('INVALID_BODY');
  }
}
