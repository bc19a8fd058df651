import { errorTypeOf, MESSAGES, type PlaidErrorCode, type PlaidErrorType } from './errors.js';
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

/** Messages for the end user, for errors the end user can resolve. */
const DISPLAY_MESSAGES: Partial<Record<PlaidErrorCode, string>> = {
  ITEM_LOGIN_REQUIRED: 'Please sign in at your bank again.',
  INVALID_CREDENTIALS: 'Your bank did not accept the sign-in. Please try again.',
  INVALID_MFA: 'Your bank did not accept the answer. Please try again.',
  ITEM_LOCKED: 'Your bank has locked this sign-in. Please contact your bank.',
  USER_SETUP_REQUIRED: 'Your bank asks you to do something on its own pages first.',
  PASSWORD_RESET_REQUIRED: 'Your bank asks you to set a new password first.',
  ACCESS_NOT_GRANTED: 'You did not allow access at your bank.',
  INSUFFICIENT_CREDENTIALS: 'The sign-in at your bank was not finished.',
  USER_PERMISSION_REVOKED: 'You withdrew the permission at your bank.',
  ADDITIONAL_CONSENT_REQUIRED: 'Your permission is needed for this data.',
  NO_ACCOUNTS: 'There is no account that can be used here.',
  NO_AUTH_ACCOUNTS: 'There is no account that can be used here.',
  NO_INVESTMENT_ACCOUNTS: 'There is no account that can be used here.',
  NO_LIABILITY_ACCOUNTS: 'There is no account that can be used here.',
  INSTITUTION_DOWN: 'Your bank is not reachable at the moment. Please try again later.',
  INSTITUTION_NOT_RESPONDING: 'Your bank is not reachable at the moment. Please try again later.',
  INSTITUTION_NOT_AVAILABLE: 'Your bank is not reachable at the moment. Please try again later.',
};

/** `reason`: only for Items that log in by OAuth. */
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
