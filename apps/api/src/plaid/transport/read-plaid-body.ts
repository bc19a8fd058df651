import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import { PLAID_LIMITS } from '../../http/input/input-limits.js';
import { isExpectedMediaType } from '../../http/input/media-type.js';
import { declaredSize } from '../../http/input/read-body.js';
import { readJson } from '../../http/input/read-input.js';
import { PlaidError } from '../errors/plaid-error.js';

/** Checks the headers of a body; a missing content type means JSON. Source: plaid-compat 1.1. @throws PlaidError */
export function refusePlaidHeaders(request: IncomingMessage): void {
  const contentType = request.headers['content-type'] ?? 'application/json';
  if (!isExpectedMediaType({ ...request.headers, 'content-type': contentType }, 'json'))
    throw new PlaidError('INVALID_BODY');
  if ((declaredSize(request) ?? 0) > PLAID_LIMITS.bytes) throw new PlaidError('INVALID_BODY');
}

/**
 * The body as one JSON object. Source: plaid-compat 1.1.
 * @param read reads its bytes, up to a limit
 * @throws PlaidError
 */
export async function readPlaidBody(
  read: (limit: number) => Promise<Buffer>,
): Promise<Record<string, unknown>> {
  const reading = readJson(await bytesOf(read), PLAID_LIMITS);
  if ('issue' in reading) throw new PlaidError('INVALID_BODY');
  const { value: body } = reading;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new PlaidError('INVALID_BODY');
  return body as Record<string, unknown>;
}

async function bytesOf(read: (limit: number) => Promise<Buffer>): Promise<Buffer> {
  try {
    return await read(PLAID_LIMITS.bytes);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'api_error.unavailable') throw error;
    throw new PlaidError('INVALID_BODY');
  }
}
