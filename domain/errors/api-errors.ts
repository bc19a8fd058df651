import type { LinkError, LinkState } from '../link/link-state.js';

/** An entry of the catalog of errors. */
export interface ApiErrorEntry {
  status: number;
  /** The default `error_message`, for developers. */
  message: string;
  /** The next step of the caller, in Markdown without a period at its end. */
  remedy: string;
}

/**
 * Every error of the native API and the Connect API, with its status. Sources: native-api 5.2,
 * connect 6.
 */
export const API_ERRORS = {
  'api_error.auth.expired_access_token': {
    status: 401,
    message: 'The access token has expired.',
    remedy: 'Get a new access token',
  },
  'api_error.auth.unauthorized': {
    status: 401,
    message: 'The request is not authorized.',
    remedy:
      'Check the key pair and the scope of the token. A key pair that is limited to users may not act for others. `/auth/token` returns 400 when the key pair is not the reason',
  },
  'link_error.unauthorized_access': {
    status: 401,
    message: 'The link does not belong to this client.',
    remedy: 'The link belongs to another app or environment, or the key pair has no access to it',
  },
  'link_error.forbidden_action': {
    status: 403,
    message: 'This is not allowed on this link.',
    remedy:
      'The product is not granted on this link: add it with a session for the existing link. Or the call does not fit this kind of link: `reset` is for Sandbox links. In an exchange: the link belongs to another customer user than `expected_customer_user_id`; do not store it',
  },
  'link_session_error.forbidden_config': {
    status: 403,
    message: 'The session requests something this app is not entitled to.',
    remedy:
      'The app may not use this redirect address or feature, or the key pair has reached its limit of Live links: delete one, or ask the operator',
  },
  'api_error.sandbox_only': {
    status: 403,
    message: 'This call exists in Sandbox only.',
    remedy:
      'Use the Sandbox key pair. To listen to webhooks of Live, ask the operator (`apps update --live-listening on`)',
  },
  'link_error.not_found': {
    status: 404,
    message: 'Link not found.',
    remedy: 'The link does not exist, or was deleted more than 90 days ago: check the id',
  },
  'link_session_error.not_found': {
    status: 404,
    message: 'Link session not found.',
    remedy: 'This app has no such link session, or it is no longer kept',
  },
  'institution_error.not_found': {
    status: 404,
    message: 'Institution not found.',
    remedy: 'Look up the institution with `GET /institutions`',
  },
  'webhook_error.not_found': {
    status: 404,
    message: 'Event not found.',
    remedy:
      'This app has no such event: check the id and the environment of the key pair. A listener ends a minute after its last call: create a new one',
  },
  'sandbox_error.not_found': {
    status: 404,
    message: 'World or fault not found.',
    remedy:
      'List worlds with `GET /sandbox/worlds`, and faults by institution; both may have expired',
  },
  'simplefin_error.not_found': {
    status: 404,
    message: 'SimpleFIN token not found.',
    remedy: 'The user has no such token, or it was revoked: list them',
  },
  'api_error.request.not_found': {
    status: 404,
    message: 'Route not found.',
    remedy: 'Check the path against the reference',
  },
  'api_error.request.method_not_allowed': {
    status: 405,
    message: 'This route does not support this method.',
    remedy: 'Use a method of the response header `Allow`',
  },
  'api_error.idempotency.in_progress': {
    status: 409,
    message: 'The first request with this key is still running.',
    remedy: 'Wait a second and send the same request again',
  },
  'link_error.deleted': {
    status: 410,
    message: 'The link has been deleted.',
    remedy: 'Remove the link from your records; the user can link again',
  },
  'api_error.request.too_large': {
    status: 413,
    message: 'The request body is too large.',
    remedy: 'At most 256 KiB; 1 MB for `/link-session`, `/sandbox/link` and the two import calls',
  },
  'api_error.request.headers_too_large': {
    status: 431,
    message: 'The URL and headers are too large: at most 16 KiB in total.',
    remedy:
      'The URL and headers may total 16 KiB: split ids over several calls, and send fewer or shorter headers. Requests over 32 KiB are rejected unread and get a new request id',
  },
  'api_error.request.unsupported_media_type': {
    status: 415,
    message: 'The media type of the body is not supported.',
    remedy: 'Send JSON in UTF-8; the token calls accept a form',
  },
  'api_error.request.unsupported_version': {
    status: 400,
    message: 'This version is not recognized.',
    remedy: 'Send a version that the service documents, or leave the header out',
  },
  'link_error.bad_config': {
    status: 400,
    message: 'The configuration of the link does not allow this.',
    remedy: 'The link has no webhook address, or is not a Sandbox link',
  },
  'link_session_error.invalid_token_exchange': {
    status: 400,
    message: 'The token cannot be exchanged.',
    remedy: 'The token is unknown, used, expired, or belongs to another app. Start a new session',
  },
  'api_error.request.validation_failed': {
    status: 422,
    message: 'The request is not valid.',
    remedy: 'See `validation_errors`. Malformed JSON has the location `["body"]`',
  },
  'api_error.idempotency.mismatch': {
    status: 422,
    message: 'This key was used with another body.',
    remedy: 'Use a new key for each new request, and the same key only to repeat one',
  },
  'link_error.bad_state': {
    status: 422,
    message: 'The link cannot be used for this now.',
    remedy: 'See `link_error_code`. `auth_expired`: the account owner must sign in again',
  },
  'sandbox_error.script_failed': {
    status: 422,
    message: 'A step of the script is impossible.',
    remedy: 'Correct the step that the message names; none of the script took effect',
  },
  'api_error.rate_limit_exceeded': {
    status: 429,
    message: 'Too many requests.',
    remedy:
      'Retry after the time in `Retry-After`. On a token call it can also mean that wrong key pairs came from your address; elsewhere, when the message says so, that too many calls of your app wait for the database, or that your app has reached its limit of stored rows or of daily use',
  },
  'api_error.internal': {
    status: 500,
    message: 'Something went wrong on our side.',
    remedy: 'Report the request id to the operator; repeat later',
  },
  'api_error.unavailable': {
    status: 503,
    message: 'The service is not available at the moment.',
    remedy: 'The database is unavailable. Retry after the time in `Retry-After`',
  },
  'connect_error.invalid_session_token': {
    status: 401,
    message: 'This session is not recognized.',
    remedy: 'Create a new session',
  },
  'connect_error.origin_not_allowed': {
    status: 403,
    message: 'This page may not open Connect for this app.',
    remedy: "The page is not on the app's list of page origins",
  },
  'connect_error.institution_not_available': {
    status: 404,
    message: 'This institution is not available here.',
    remedy: 'Let the user choose another institution: the session allows only those it lists',
  },
  'connect_error.stale_step': {
    status: 409,
    message: 'The session has moved on.',
    remedy: 'Show `view`',
  },
  'connect_error.step_in_progress': {
    status: 409,
    message: 'The previous answer is still being processed.',
    remedy: 'Show `view` and wait',
  },
  'connect_error.session_moved': {
    status: 409,
    message: 'The session continues in another window.',
    remedy: 'Close this window: the user continues in the other one',
  },
  'connect_error.session_expired': {
    status: 410,
    message: 'This session has expired.',
    remedy: 'Create a new session',
  },
  'connect_error.session_closed': {
    status: 410,
    message: 'This session is finished.',
    remedy: 'Create a new session if there is more to link',
  },
  'connect_error.invalid_input': {
    status: 422,
    message: 'The input does not match the step.',
    remedy: 'See `validation_errors`; the step stays',
  },
  'connect_error.oauth_state_invalid': {
    status: 422,
    message: 'This return from the bank is not recognized.',
    remedy: 'Start the redirect to the bank again',
  },
  'connect_error.rate_limited': {
    status: 429,
    message: 'Too many requests.',
    remedy: 'Retry after the time in `Retry-After`',
  },
  'connect_error.unavailable': {
    status: 503,
    message: 'The service is not available at the moment.',
    remedy:
      'The steps of Connect need Temporal, which is unavailable. Retry after the time in `Retry-After`. Tokens, sessions, results, exchange and reads work without it',
  },
} as const satisfies Record<string, ApiErrorEntry>;
export type ApiErrorCode = keyof typeof API_ERRORS;

/** One issue in a request. Source: native-api 5.1. */
export interface ValidationIssue {
  location: (string | number)[];
  message: string;
  type: string;
}

export interface ApiErrorDetails {
  /** Replaces the default message. Never contains a secret or token. */
  message?: string;
  issues?: ValidationIssue[];
  linkErrorCode?: LinkError | LinkState;
  retryAfterSeconds?: number;
  /** The reason in `WWW-Authenticate`; missing = no credential was given, or none would help. Source: RFC 6750 3. */
  challenge?: { error: 'invalid_token' } | { error: 'insufficient_scope'; scope?: string };
  /** The current view, for the 409 responses of Connect. */
  view?: unknown;
  /** The reason, for the operator's log; never part of the response. */
  cause?: unknown;
}

/** The body of every error response. Source: native-api 5.1. */
export interface ApiErrorBody {
  error_code: ApiErrorCode;
  error_message: string;
  documentation_url: string | null;
  link_error_code?: LinkError | LinkState;
  validation_errors?: ValidationIssue[];
  view?: unknown;
}

/** Thrown when a request is refused, and rendered once, at the edge of the API. */
export class ApiError extends Error {
  readonly status: number;

  constructor(
    readonly code: ApiErrorCode,
    readonly details: ApiErrorDetails = {},
    status?: number,
  ) {
    super(details.message ?? API_ERRORS[code].message);
    this.name = 'ApiError';
    this.status = status ?? API_ERRORS[code].status;
  }

  /** @param baseUrl of the service, whose API reference explains every error; null = the body is only stored */
  body(baseUrl: string | null): ApiErrorBody {
    return {
      error_code: this.code,
      error_message: this.message,
      documentation_url: baseUrl === null ? null : `${baseUrl}/docs#error-${this.code}`,
      ...(this.details.linkErrorCode === undefined
        ? {}
        : { link_error_code: this.details.linkErrorCode }),
      ...(this.details.issues === undefined ? {} : { validation_errors: this.details.issues }),
      ...(this.details.view === undefined ? {} : { view: this.details.view }),
    };
  }

  /** Restores the error from a stored response body. */
  static fromBody(
    status: number,
    {
      error_code: code,
      error_message: message,
      link_error_code: linkErrorCode,
      validation_errors: issues,
      view,
    }: ApiErrorBody,
  ): ApiError {
    return new ApiError(
      code,
      {
        message,
        ...(linkErrorCode === undefined ? {} : { linkErrorCode }),
        ...(issues === undefined ? {} : { issues }),
        ...(view === undefined ? {} : { view }),
      },
      status,
    );
  }
}

/** The issue of a value that has the right type. */
export function invalid(location: ValidationIssue['location'], message: string): ValidationIssue {
  return { location, message, type: 'invalid' };
}

/** The error for a request that is malformed at the given locations. */
export function validationFailed(issues: readonly ValidationIssue[]): ApiError {
  return new ApiError('api_error.request.validation_failed', { issues: truncateIssues(issues) });
}

const MAX_LISTED = 50;

/** The issues a response lists: the first 50 and a count of the others. Source: native-api 5.1. */
export function truncateIssues(issues: readonly ValidationIssue[]): ValidationIssue[] {
  const rest = issues.length - MAX_LISTED;
  const [part = 'body'] = issues[MAX_LISTED]?.location ?? [];
  const others = { location: [part], message: `and ${rest} more`, type: 'more' };
  return rest > 0 ? [...issues.slice(0, MAX_LISTED), others] : [...issues];
}

/** The error for a call that the link's state does not allow. Source: link-lifecycle 6.5. */
export function badState(link: { state: LinkState; error: LinkError | null }): ApiError {
  return new ApiError('link_error.bad_state', { linkErrorCode: link.error ?? link.state });
}
