/** Every error code of the bank's API, with its HTTP status. */
const STATUS_OF = {
  invalid_request: 400,
  invalid_token: 401,
  login_refused: 403,
  access_denied: 403,
  consent_revoked: 403,
  consent_expired: 403,
  not_found: 404,
  unknown_institution: 404,
  unknown_world: 404,
  no_accounts: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  stale_step: 409,
  request_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal_error: 500,
  not_offered: 501,
  partner_unavailable: 502,
  bank_unavailable: 503,
  gave_up_waiting: 504,
} as const;

export type BankErrorCode = keyof typeof STATUS_OF;

/** A refusal that the caller receives: `{ "error": { "code", "message" } }`. */
export class BankError extends Error {
  readonly status: number;

  constructor(
    readonly code: BankErrorCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'BankError';
    this.status = STATUS_OF[code];
  }
}

/** Sent with a success status and a body that cannot be parsed. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
}
