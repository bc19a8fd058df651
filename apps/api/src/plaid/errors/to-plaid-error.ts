import { ApiError, type ApiErrorCode } from '../../../../../domain/errors/api-errors.js';
import { UserNotPermitted } from '../../../../../domain/api/restriction.js';
import { BoundReached } from '../../../../../domain/limits/app-bounds.js';
import { toApiError } from '../../http/present-error.js';
import { PlaidError } from './plaid-error.js';
import type { PlaidErrorCode } from '../../../../../domain/plaid/errors.js';

/** The codes for errors of the native services. Any other error is an internal one. */
const OF_SERVICES: Partial<Record<ApiErrorCode, PlaidErrorCode>> = {
  'link_error.deleted': 'ITEM_CONCURRENTLY_DELETED',
  'institution_error.not_found': 'INVALID_INSTITUTION',
  'api_error.sandbox_only': 'SANDBOX_ONLY',
  'api_error.rate_limit_exceeded': 'RATE_LIMIT',
  'api_error.request.headers_too_large': 'INVALID_HEADERS',
  // The code with status 503, after which clients retry.
  'api_error.unavailable': 'PLANNED_MAINTENANCE',
};

export function toPlaidError(thrown: unknown): PlaidError {
  if (thrown instanceof PlaidError) return thrown;
  if (thrown instanceof BoundReached) {
    const { message, retryAfterSeconds } = thrown;
    return new PlaidError('RATE_LIMIT', { message, retryAfterSeconds });
  }
  // plaid-compat 1.2
  if (thrown instanceof UserNotPermitted)
    return new PlaidError('UNAUTHORIZED_ROUTE_ACCESS', { message: thrown.message });
  const {
    code,
    details: { retryAfterSeconds },
  } = thrown instanceof ApiError ? thrown : toApiError(thrown, 'native', []);
  return new PlaidError(
    OF_SERVICES[code] ?? 'INTERNAL_SERVER_ERROR',
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  );
}
