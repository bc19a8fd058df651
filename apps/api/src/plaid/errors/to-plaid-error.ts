import { ApiError, type ApiErrorCode } from '../../../../../domain/errors/api-errors.js';
import { toApiError } from '../../http/present-error.js';
import { PlaidError } from './plaid-error.js';
import type { PlaidErrorCode } from '../../../../../domain/plaid/errors.js';

/** What the services of the native API refuse, in the words of these calls. Anything else is a fault of ours. */
const OF_SERVICES: Partial<Record<ApiErrorCode, PlaidErrorCode>> = {
  'link_error.deleted': 'ITEM_CONCURRENTLY_DELETED',
  'institution_error.not_found': 'INVALID_INSTITUTION',
  'api_error.sandbox_only': 'SANDBOX_ONLY',
  'api_error.rate_limit_exceeded': 'RATE_LIMIT',
  // Of the two codes of a fault of ours, the one with status 503: it passes, and clients may try again.
  'api_error.unavailable': 'PLANNED_MAINTENANCE',
};

export function toPlaidError(thrown: unknown): PlaidError {
  if (thrown instanceof PlaidError) return thrown;
  const {
    code,
    details: { retryAfterSeconds },
  } = thrown instanceof ApiError ? thrown : toApiError(thrown, 'native', []);
  return new PlaidError(
    OF_SERVICES[code] ?? 'INTERNAL_SERVER_ERROR',
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  );
}
