import type { ErrorForm } from '../../http/protocol.js';
import { stateOf } from '../../http/request-state.js';
import { presentError, type PlaidError } from './plaid-error.js';
import { toPlaidError } from './to-plaid-error.js';

/** The error is the whole body. Source: plaid-compat 4. */
export function plaidErrors(baseUrl: string): ErrorForm<PlaidError> {
  return {
    toError: toPlaidError,
    send(error, request, response) {
      const { retryAfterSeconds } = error.details;
      if (retryAfterSeconds !== undefined)
        response.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))));
      response
        .status(error.status)
        .json({ ...presentError(error, baseUrl), request_id: stateOf(request).requestId });
    },
    log(logger, { err, request_id, error_code }) {
      logger.error({ err, request_id, error_code }, 'plaid.failed');
    },
  };
}
