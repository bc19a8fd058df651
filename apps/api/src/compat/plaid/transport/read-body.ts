import type { IncomingMessage } from 'node:http';
import { isExpectedMediaType } from '../../../http/media-type.js';
import { readBody } from '../../../http/read-body.js';
import { LARGE_BODY_LIMIT } from '../../../http/route.js';
import { PlaidError } from '../errors/plaid-error.js';

/** The body as one JSON object; a missing content type is read as JSON. Source: plaid-compat 1.1. @throws PlaidError */
export async function readPlaidBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const contentType = request.headers['content-type'] ?? 'application/json';
  if (!isExpectedMediaType({ ...request.headers, 'content-type': contentType }, 'json')) throw new PlaidError('INVALID_BODY');
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readBody(request, LARGE_BODY_LIMIT)));
  } catch {
    throw new PlaidError('INVALID_BODY');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new PlaidError('INVALID_BODY');
  return body as Record<string, unknown>;
}
