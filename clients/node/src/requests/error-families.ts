import {
  ApiError,
  AuthenticationError,
  ConflictError,
  LinkNeedsOwnerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  ServiceUnavailableError,
  ValidationError,
  type ErrorDetails,
} from '../errors.js';

type Family = new (details: ErrorDetails) => ApiError;

const is =
  (...statuses: number[]) =>
  ({ status }: ErrorDetails) =>
    statuses.includes(status);
const hasCode =
  (...codes: string[]) =>
  ({ code }: ErrorDetails) =>
    codes.includes(code);

/** The first row that fits decides. Source: docs/errors.md, "Catalog". */
const FAMILIES: readonly [(details: ErrorDetails) => boolean, Family][] = [
  [hasCode('link_error.unauthorized_access'), PermissionDeniedError],
  // The token call returns 400 for what is wrong with a pair beside its id and secret.
  [hasCode('api_error.auth.unauthorized'), AuthenticationError],
  [({ linkErrorCode }) => linkErrorCode === 'auth_expired', LinkNeedsOwnerError],
  [hasCode('link_error.bad_state', 'api_error.idempotency.mismatch'), ConflictError],
  [is(401), AuthenticationError],
  [is(403), PermissionDeniedError],
  [is(404, 410), NotFoundError],
  [is(409), ConflictError],
  [is(429), RateLimitError],
  [is(502, 503, 504), ServiceUnavailableError],
  [({ status }) => status >= 500, ServerError],
];

/** An error of the family to which the response belongs. */
export function apiErrorFrom(details: ErrorDetails): ApiError {
  const row = FAMILIES.find(([fits]) => fits(details));
  return new (row?.[1] ?? ValidationError)(details);
}
