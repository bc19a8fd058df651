import { HttpException } from '@nestjs/common';
import {
  ApiError,
  validationFailed,
  type ApiErrorCode,
} from '../../../../domain/errors/api-errors.js';
import { UserNotPermitted } from '../../../../domain/api/restriction.js';
import { BoundReached } from '../../../../domain/limits/app-bounds.js';
import {
  isOwnerBusy,
  isTemporaryDatabaseFailure,
} from '../../../../prisma/base/database/database-failures.js';
import type { RouteOptions } from './route.js';

type Family = RouteOptions['family'];

/** The Connect equivalents of native errors. Source: connect 6. */
const CONNECT_NAMES: Partial<Record<ApiErrorCode, ApiErrorCode>> = {
  'api_error.auth.unauthorized': 'connect_error.invalid_session_token',
  'api_error.request.validation_failed': 'connect_error.invalid_input',
  'api_error.rate_limit_exceeded': 'connect_error.rate_limited',
  'api_error.unavailable': 'connect_error.unavailable',
};

const RETRY_AFTER_SECONDS = 5;
/** native-api 8 */
const TOO_MANY_CALLS = 'Too many calls of this app are waiting for the database.';

/**
 * Converts anything thrown to the error the caller receives. Unknown errors become `internal`
 * without details.
 */
export function toApiError(
  thrown: unknown,
  family: Family,
  allowedMethods: readonly string[],
): ApiError {
  const error = nameCause(thrown, allowedMethods);
  const connectName = family === 'connect' ? CONNECT_NAMES[error.code] : undefined;
  return connectName === undefined ? error : new ApiError(connectName, { ...error.details });
}

function nameCause(thrown: unknown, allowedMethods: readonly string[]): ApiError {
  if (thrown instanceof ApiError) return thrown;
  // native-api 8
  if (thrown instanceof BoundReached) {
    const { message, retryAfterSeconds } = thrown;
    return new ApiError('api_error.rate_limit_exceeded', { message, retryAfterSeconds });
  }
  // native-api 3.1
  if (thrown instanceof UserNotPermitted)
    return new ApiError('api_error.auth.unauthorized', {
      message: thrown.message,
      challenge: { error: 'insufficient_scope' },
    });
  if (isOwnerBusy(thrown))
    return new ApiError('api_error.rate_limit_exceeded', {
      message: TOO_MANY_CALLS,
      retryAfterSeconds: 1,
    });
  // native-api 5.2: also work that exceeded a time limit, which depends on what else the database does.
  if (isTemporaryDatabaseFailure(thrown))
    return new ApiError('api_error.unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  if (thrown instanceof HttpException && thrown.getStatus() === 404) {
    return new ApiError(
      allowedMethods.length > 0
        ? 'api_error.request.method_not_allowed'
        : 'api_error.request.not_found',
    );
  }
  if (thrown instanceof HttpException && thrown.getStatus() === 400) {
    return validationFailed([
      { location: ['path'], message: 'The address cannot be decoded.', type: 'undecodable' },
    ]);
  }
  return new ApiError('api_error.internal');
}

/** RFC 6750 3: with a reason, a client knows whether another token helps. */
function bearerChallenge({ details: { challenge } }: ApiError): string {
  if (challenge === undefined) return 'Bearer';
  const scope = 'scope' in challenge ? `, scope="${challenge.scope}"` : '';
  return `Bearer error="${challenge.error}"${scope}`;
}

/** The response headers of an error. Sources: native-api 5.2, 8. */
export function errorHeaders(
  error: ApiError,
  allowedMethods: readonly string[],
): Record<string, string> {
  return {
    ...(error.status === 401 ? { 'WWW-Authenticate': bearerChallenge(error) } : {}),
    ...(error.code === 'api_error.request.method_not_allowed'
      ? { Allow: allowedMethods.join(', ') }
      : {}),
    ...(error.details.retryAfterSeconds === undefined
      ? {}
      : { 'Retry-After': String(Math.max(1, Math.ceil(error.details.retryAfterSeconds))) }),
  };
}
