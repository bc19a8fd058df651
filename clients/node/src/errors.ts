import type { BadStateReason, ValidationIssue } from './generated/types.js';

/** Every error of this package, except the reason of a caller's own `signal`, which is thrown as it is. */
export class TributaryError extends Error {
  override readonly name: string = 'TributaryError';

  constructor(
    message: string,
    /** Stable: branch on it, not on the message. */
    readonly code: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** An option or an argument is missing or wrong; nothing was sent. */
export class ConfigurationError extends TributaryError {
  override readonly name: string = 'ConfigurationError';

  constructor(message: string) {
    super(message, 'configuration');
  }
}

/**
 * No response arrived, or only a part of one, or 408, 421 or 425. `code` is `timeout` or
 * `connection_failed`. Whether the request took effect is unknown.
 */
export class ServiceConnectionError extends TributaryError {
  override readonly name: string = 'ServiceConnectionError';
}

/**
 * A redirect, a page of a proxy, or a body that is not as documented: is the address right? The call
 * is not repeated, since the response would be the same.
 */
export class UnexpectedResponseError extends TributaryError {
  override readonly name: string = 'UnexpectedResponseError';

  constructor(
    message: string,
    readonly status: number,
    readonly requestId: string | undefined,
  ) {
    super(message, 'unexpected_response');
  }
}

/** Contents of an error response. */
export interface ErrorDetails {
  status: number;
  /** `error_code` of the body, or `http_error` when something else than the service responded. */
  code: string;
  message: string;
  requestId: string | undefined;
  documentationUrl: string | undefined;
  /** Seconds. */
  retryAfter: number | undefined;
  issues: ValidationIssue[];
  linkErrorCode: BadStateReason | undefined;
  requiredScope?: string | undefined;
}

/**
 * The service refused a call, or failed. Each family is a subclass. The codes are those of
 * docs/errors.md.
 */
export class ApiError extends TributaryError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  /** The header `service-request-id`: include it in a question to the operator. */
  readonly requestId: string | undefined;
  /** The entry of the code in the API reference of the service. */
  readonly documentationUrl: string | undefined;

  constructor({ status, code, message, requestId, documentationUrl }: ErrorDetails) {
    super(
      `${message} (${status} ${code}${requestId === undefined ? '' : `, request ${requestId}`})`,
      code,
    );
    this.status = status;
    this.requestId = requestId;
    this.documentationUrl = documentationUrl;
  }
}

/** The key pair is wrong, ended or disabled, or the call is outside the scopes of its token. */
export class AuthenticationError extends ApiError {
  override readonly name: string = 'AuthenticationError';
  /** The scope that the token lacks for this call; empty if the service does not name it. */
  readonly requiredScope: string | undefined;

  constructor(details: ErrorDetails) {
    super(details);
    this.requiredScope = details.requiredScope;
  }
}

/** The link is of another app or environment, or the app may not do this. */
export class PermissionDeniedError extends ApiError {
  override readonly name: string = 'PermissionDeniedError';
}

/** Not found, or deleted (`link_error.deleted`). */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError';
}

/** The request is wrong. */
export class ValidationError extends ApiError {
  override readonly name: string = 'ValidationError';
  /** Every mistake, with its place; empty for codes other than `api_error.request.validation_failed`. */
  readonly issues: readonly ValidationIssue[];

  constructor(details: ErrorDetails) {
    super(details);
    this.issues = details.issues;
  }
}

/** The state of a link does not allow the call, or an idempotency key is in use for another request. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError';
  /** Of `link_error.bad_state`: the error of the link, or its state while it has none. */
  readonly linkErrorCode: BadStateReason | undefined;

  constructor(details: ErrorDetails) {
    super(details);
    this.linkErrorCode = details.linkErrorCode;
  }
}

/**
 * Only the account owner can repair the link: open a session with `existing_link_id`. Stored data
 * stays readable meanwhile.
 */
export class LinkNeedsOwnerError extends ConflictError {
  override readonly name: string = 'LinkNeedsOwnerError';
}

/** A limit was reached, and the call had no effect. */
export class RateLimitError extends ApiError {
  override readonly name: string = 'RateLimitError';
  /** Seconds after which the same call may be sent again. */
  readonly retryAfter: number | undefined;

  constructor(details: ErrorDetails) {
    super(details);
    this.retryAfter = details.retryAfter;
  }
}

/** The service failed; report `requestId` to its operator. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError';
}

/** The service, or what it needs, is down for the moment. */
export class ServiceUnavailableError extends ApiError {
  override readonly name: string = 'ServiceUnavailableError';
  /** Seconds after which the same call may be sent again, if the response has them. */
  readonly retryAfter: number | undefined;

  constructor(details: ErrorDetails) {
    super(details);
    this.retryAfter = details.retryAfter;
  }
}

/** The reasons for which a webhook is refused, in the order of the steps of docs/webhooks.md. */
export type WebhookRefusal =
  | 'no_signature'
  | 'malformed_signature'
  | 'unknown_key'
  | 'wrong_signature'
  | 'wrong_issuer'
  | 'wrong_app'
  | 'wrong_environment'
  | 'too_old'
  | 'too_new'
  | 'wrong_body'
  | 'malformed_body'
  | 'wrong_event';

/** The request is not an event of this service for this receiver: respond with 400 and discard it. */
export class WebhookVerificationError extends TributaryError {
  override readonly name: string = 'WebhookVerificationError';
  declare readonly code: WebhookRefusal;

  constructor(code: WebhookRefusal, message: string) {
    super(message, code);
  }
}
