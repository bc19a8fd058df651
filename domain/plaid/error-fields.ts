import { DISPLAY_MESSAGES, MESSAGES } from './error-messages.js';
import { errorTypeOf, type PlaidErrorCode, type PlaidErrorType } from './errors.js';
import type { OAuthReason } from './item-faults.js';

/** The common fields of an error; responses add `request_id`, webhooks `status`. Source: plaid-compat 4. */
export interface PlaidErrorFields {
  error_type: PlaidErrorType;
  error_code: PlaidErrorCode;
  error_message: string;
  display_message: string | null;
  suggested_action: null;
  error_code_reason?: OAuthReason | null;
}

/** `reason`: only of Items that log in by OAuth. */
export function errorFields(
  code: PlaidErrorCode,
  {
    message = MESSAGES[code],
    reason,
  }: { message?: string; reason?: OAuthReason | null | undefined } = {},
): PlaidErrorFields {
  return {
    error_type: errorTypeOf(code),
    error_code: code,
    error_message: message,
    display_message: DISPLAY_MESSAGES[code] ?? null,
    suggested_action: null,
    ...(reason === undefined ? {} : { error_code_reason: reason }),
  };
}
