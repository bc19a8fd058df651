import { Refusal } from '../../http/reply.js';
import { UnreadableBody } from '../../http/request.js';
import { StorageUnavailable } from '../storage/storage-unavailable.js';

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
export class BankError extends Refusal {
  constructor(
    code: BankErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super({ status: STATUS_OF[code], json: { error: { code, message } }, headers }, message);
  }
}

const CODE_OF_BODY: Readonly<Record<number, BankErrorCode>> = {
  413: 'request_too_large',
  415: 'unsupported_media_type',
};

/** The refusal that stands for any error of a route. */
export function refusalFor(error: unknown): Refusal {
  if (error instanceof UnreadableBody) {
    const { status, headers } = error.reply;
    return new BankError(CODE_OF_BODY[status] ?? 'invalid_request', error.message, headers);
  }
  if (error instanceof Refusal) return error;
  if (error instanceof StorageUnavailable)
    return new BankError('bank_unavailable', 'The bank is not available at the moment.', {
      'retry-after': '1',
    });
  return new BankError('internal_error', 'The bank could not answer.');
}
