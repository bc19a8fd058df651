import type { Response } from 'express';
import { presentError, type PlaidError } from './plaid-error.js';

/** The error is the whole body. Source: plaid-compat 4. */
export function sendPlaidError(
  response: Response,
  error: PlaidError,
  { requestId, baseUrl }: { requestId: string; baseUrl: string },
): void {
  const { retryAfterSeconds } = error.details;
  if (retryAfterSeconds !== undefined)
    response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  response.status(error.status).json({ ...presentError(error, baseUrl), request_id: requestId });
}
