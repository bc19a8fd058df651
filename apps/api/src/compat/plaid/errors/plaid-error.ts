import { DISPLAY_MESSAGES, MESSAGES } from '../../../../../../domain/plaid/error-messages.js';
import { errorTypeOf, statusOf, type PlaidErrorCode, type PlaidErrorType } from '../../../../../../domain/plaid/errors.js';
import type { OAuthReason } from '../../../../../../domain/plaid/item-faults.js';

export interface PlaidErrorDetails {
  /** Instead of the usual text. Names the field, never its value. */
  message?: string;
  retryAfterSeconds?: number;
  /** Only for items that log in by OAuth. */
  reason?: OAuthReason | null;
}

/** What every form of an error has; answers add `request_id`, webhooks `status`. Source: plaid-compat 4. */
export interface PlaidErrorFields {
  error_type: PlaidErrorType;
  error_code: PlaidErrorCode;
  error_message: string;
  display_message: string | null;
  suggested_action: null;
  documentation_url: string;
  error_code_reason?: OAuthReason | null;
}

/** Thrown wherever one of these calls has to be refused. */
export class PlaidError extends Error {
  readonly status: number;

  constructor(readonly code: PlaidErrorCode, readonly details: PlaidErrorDetails = {}) {
    super(details.message ?? MESSAGES[code]);
    this.name = 'PlaidError';
    this.status = statusOf(code);
  }
}

export function missingFields(names: readonly string[]): PlaidError {
  return new PlaidError('MISSING_FIELDS', { message: `the following required fields are missing: ${names.join(', ')}` });
}

export function invalidField(message: string): PlaidError {
  return new PlaidError('INVALID_FIELD', { message });
}

/** `baseUrl`: of the overview page, which has a place for every code. */
export function presentError(error: PlaidError, baseUrl: string): PlaidErrorFields {
  const { code, message, details: { reason } } = error;
  return {
    error_type: errorTypeOf(code),
    error_code: code,
    error_message: message,
    display_message: DISPLAY_MESSAGES[code] ?? null,
    suggested_action: null,
    documentation_url: `${baseUrl}/compatibility/plaid#${code}`,
    ...(reason === undefined ? {} : { error_code_reason: reason }),
  };
}
