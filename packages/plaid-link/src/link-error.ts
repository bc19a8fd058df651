import type { ConnectError } from '@tributary/connect-js';
import type { PlaidLinkError } from './config.js';

/** plaid-compat 3.7 and 10.2: the names of Connect's problems (connect 6). */
const CODES: Readonly<Record<string, readonly [type: string, code: string]>> = {
  invalid_credentials: ['ITEM_ERROR', 'INVALID_CREDENTIALS'],
  mfa_failed: ['ITEM_ERROR', 'INVALID_MFA'],
  account_locked: ['ITEM_ERROR', 'ITEM_LOCKED'],
  user_action_required: ['ITEM_ERROR', 'USER_SETUP_REQUIRED'],
  oauth_denied: ['ITEM_ERROR', 'ACCESS_NOT_GRANTED'],
  oauth_state_invalid: ['OAUTH_ERROR', 'INCORRECT_OAUTH_NONCE'],
  incomplete: ['ITEM_ERROR', 'INSUFFICIENT_CREDENTIALS'],
  no_accounts: ['ITEM_ERROR', 'NO_ACCOUNTS'],
  no_eligible_accounts: ['ITEM_ERROR', 'NO_ACCOUNTS'],
  institution_down: ['INSTITUTION_ERROR', 'INSTITUTION_DOWN'],
  timeout: ['INSTITUTION_ERROR', 'INSTITUTION_NOT_RESPONDING'],
  provider_down: ['INSTITUTION_ERROR', 'INSTITUTION_NOT_AVAILABLE'],
  institution_not_available: ['INVALID_INPUT', 'INVALID_INSTITUTION'],
  duplicate_institution: ['ITEM_ERROR', 'ITEM_NOT_SUPPORTED'],
  trial_limit_reached: ['RATE_LIMIT_EXCEEDED', 'CREDITS_EXHAUSTED'],
  rate_limited: ['RATE_LIMIT_EXCEEDED', 'RATE_LIMIT'],
  invalid_session_token: ['INVALID_INPUT', 'INVALID_LINK_TOKEN'],
  session_expired: ['INVALID_INPUT', 'INVALID_LINK_TOKEN'],
  session_closed: ['INVALID_INPUT', 'INVALID_LINK_TOKEN'],
};
const OURS = ['API_ERROR', 'INTERNAL_SERVER_ERROR'] as const;

export function linkError({
  error_id: id,
  displayed_message: message,
}: ConnectError): PlaidLinkError {
  const [error_type, error_code] = CODES[id.replace(/^connect_error\./, '')] ?? OURS;
  return {
    error_type,
    error_code,
    error_message: `Connect ended with ${id}.`,
    display_message: message === '' ? null : message,
  };
}

export const INVALID_LINK_TOKEN: PlaidLinkError = {
  error_type: 'INVALID_INPUT',
  error_code: 'INVALID_LINK_TOKEN',
  error_message: 'The token is not a link_token of this service.',
  display_message: null,
};
