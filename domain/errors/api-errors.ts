import type { LinkError, LinkState } from '../link/link-state.js';

/**
 * Every error of the native API and the Connect API, with its status. Sources: native-api 5.2,
 * connect 6.
 */
export const API_ERRORS = {
  'api_error.auth.expired_access_token': { status: 401, message: 'The access token has expired.' },
  'api_error.auth.unauthorized': { status: 401, message: 'The request is not authorized.' },
  'link_error.unauthorized_access': {
    status: 401,
    message: 'The link does not belong to this client.',
  },
  'link_error.forbidden_action': { status: 403, message: 'This is not allowed on this link.' },
  'link_session_error.forbidden_config': {
    status: 403,
    message: 'The session asks for something this app is not entitled to.',
  },
  'api_error.sandbox_only': { status: 403, message: 'This call exists in Sandbox only.' },
  'link_error.not_found': { status: 404, message: 'There is no such link.' },
  'link_session_error.not_found': { status: 404, message: 'There is no such link session.' },
  'institution_error.not_found': { status: 404, message: 'There is no such institution.' },
  'webhook_error.not_found': { status: 404, message: 'There is no such event.' },
  'sandbox_error.not_found': { status: 404, message: 'There is no such world or fault.' },
  'api_error.request.not_found': { status: 404, message: 'There is no such route.' },
  'api_error.request.method_not_allowed': {
    status: 405,
    message: 'This route does not take this method.',
  },
  'api_error.idempotency.in_progress': {
    status: 409,
    message: 'The first request with this key is still running.',
  },
  'link_error.deleted': { status: 410, message: 'The link has been deleted.' },
  'api_error.request.too_large': { status: 413, message: 'The request body is too large.' },
  'api_error.request.headers_too_large': {
    status: 431,
    message: 'The address and the headers of the request are too large: together at most 16 KiB.',
  },
  'api_error.request.unsupported_media_type': {
    status: 415,
    message: 'The media type of the body is not supported.',
  },
  'api_error.request.unsupported_version': { status: 400, message: 'This version is not known.' },
  'link_error.bad_config': {
    status: 400,
    message: 'The configuration of the link does not allow this.',
  },
  'link_session_error.invalid_token_exchange': {
    status: 400,
    message: 'The token cannot be exchanged.',
  },
  'api_error.request.validation_failed': { status: 422, message: 'The request is not valid.' },
  'api_error.idempotency.mismatch': {
    status: 422,
    message: 'This key was used with another body.',
  },
  'link_error.bad_state': { status: 422, message: 'The link cannot be used for this now.' },
  'sandbox_error.script_failed': { status: 422, message: 'A step of the script is impossible.' },
  'api_error.rate_limit_exceeded': { status: 429, message: 'Too many requests.' },
  'api_error.internal': { status: 500, message: 'Something went wrong on our side.' },
  'api_error.unavailable': { status: 503, message: 'The service is not available at the moment.' },
  'connect_error.invalid_session_token': { status: 401, message: 'This session is not known.' },
  'connect_error.origin_not_allowed': {
    status: 403,
    message: 'This page may not open Connect for this app.',
  },
  'connect_error.institution_not_available': {
    status: 404,
    message: 'This institution is not available here.',
  },
  'connect_error.stale_step': { status: 409, message: 'The session has moved on.' },
  'connect_error.step_in_progress': { status: 409, message: 'An answer is being worked on.' },
  'connect_error.session_moved': { status: 409, message: 'The session goes on in another window.' },
  'connect_error.session_expired': { status: 410, message: 'The time for this session is over.' },
  'connect_error.session_closed': { status: 410, message: 'This session is finished.' },
  'connect_error.invalid_input': { status: 422, message: 'The answer does not fit the step.' },
  'connect_error.oauth_state_invalid': {
    status: 422,
    message: 'The return from the bank is not known here.',
  },
  'connect_error.rate_limited': { status: 429, message: 'Too many requests.' },
  'connect_error.unavailable': {
    status: 503,
    message: 'The service is not available at the moment.',
  },
} as const satisfies Record<string, { status: number; message: string }>;
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
