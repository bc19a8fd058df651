import { errorFields, type PlaidErrorFields } from '../../../../../domain/plaid/error-fields.js';
import { MESSAGES, statusOf, type PlaidErrorCode } from '../../../../../domain/plaid/errors.js';
import type { OAuthReason } from '../../../../../domain/plaid/item-faults.js';

export interface PlaidErrorDetails {
  /** Replaces the default text. Contains names of fields, never values. */
  message?: string;
  retryAfterSeconds?: number;
  /** Only for items that log in by OAuth. */
  reason?: OAuthReason | null;
}

/** An error response of these calls. */
export class PlaidError extends Error {
  readonly status: number;

  constructor(
    readonly code: PlaidErrorCode,
    readonly details: PlaidErrorDetails = {},
  ) {
    super(details.message ?? MESSAGES[code]);
    this.name = 'PlaidError';
    this.status = statusOf(code);
  }
}

export function missingFields(names: readonly string[]): PlaidError {
  return new PlaidError('MISSING_FIELDS', {
    message: `the following required fields are missing: ${names.join(', ')}`,
  });
}

export function invalidField(message: string): PlaidError {
  return new PlaidError('INVALID_FIELD', { message });
}

/** `baseUrl`: of the overview page, which has an anchor for every code. */
export function presentError(
  { code, message, details: { reason } }: PlaidError,
  baseUrl: string,
): PlaidErrorFields & { documentation_url: string } {
  return {
    ...errorFields(code, { message, reason }),
    documentation_url: `${baseUrl}/compatibility/plaid#${code}`,
  };
}
