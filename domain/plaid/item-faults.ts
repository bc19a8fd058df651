import type { LinkError, LinkState } from '../link/link-state.js';
import type { ProductError } from '../link/product-state.js';
import type { PlaidErrorCode } from './errors.js';

/** The errors of a broken Item, for reads of stored data and for calls that require the institution; null = no error. */
export interface ItemFault {
  stored: PlaidErrorCode | null;
  live: PlaidErrorCode;
}

const everywhere = (code: PlaidErrorCode): ItemFault => ({ stored: code, live: code });
const onlyLive = (code: PlaidErrorCode): ItemFault => ({ stored: null, live: code });

/** Rows of plaid-compat 3.7, by the error of the link. */
const BY_ERROR: Record<LinkError, ItemFault> = {
  auth_expired: everywhere('ITEM_LOGIN_REQUIRED'),
  institution_error: onlyLive('INSTITUTION_NOT_RESPONDING'),
  provider_error: onlyLive('INSTITUTION_NOT_AVAILABLE'),
  system_error: onlyLive('INTERNAL_SERVER_ERROR'),
  user_error: everywhere('USER_SETUP_REQUIRED'),
  incomplete: everywhere('ITEM_LOGIN_REQUIRED'),
};

/** Rows of plaid-compat 3.7 that depend on the finer cause. */
const BY_CAUSE: Partial<Record<LinkError, Readonly<Record<string, ItemFault>>>> = {
  institution_error: {
    no_accounts: everywhere('NO_ACCOUNTS'),
    no_eligible_accounts: everywhere('NO_ACCOUNTS'),
    institution_down: onlyLive('INSTITUTION_DOWN'),
  },
  user_error: {
    invalid_credentials: everywhere('INVALID_CREDENTIALS'),
    user_denied: everywhere('ACCESS_NOT_GRANTED'),
    mfa_failed: everywhere('INVALID_MFA'),
    account_locked: everywhere('ITEM_LOCKED'),
  },
};

export function faultOf({
  link,
  errorCause,
}: {
  link: { state: LinkState; errorCode: LinkError | null };
  errorCause: string | null;
}): ItemFault | null {
  return link.state === 'error' && link.errorCode !== null
    ? faultOfError(link.errorCode, errorCause)
    : null;
}

export function faultOfError(error: LinkError, cause: string | null): ItemFault {
  const finer = cause === null ? undefined : BY_CAUSE[error]?.[cause];
  return finer ?? BY_ERROR[error];
}

export type OAuthReason = 'OAUTH_INVALID_TOKEN' | 'OAUTH_CONSENT_EXPIRED' | 'OAUTH_USER_REVOKED';

/** plaid-compat 4, `error_code_reason`: undefined for Items that do not log in by OAuth. */
export function oauthReasonOf(
  { isOAuth, errorCause }: { isOAuth: boolean; errorCause: string | null },
  code: PlaidErrorCode,
): OAuthReason | null | undefined {
  if (!isOAuth) return undefined;
  if (code === 'USER_PERMISSION_REVOKED') return 'OAUTH_USER_REVOKED';
  if (code !== 'ITEM_LOGIN_REQUIRED') return null;
  return errorCause === 'consent_expired' ? 'OAUTH_CONSENT_EXPIRED' : 'OAUTH_INVALID_TOKEN';
}

/**
 * The error of a call that waits for a failed fetch, with a separate code for a bank that is down
 * (plaid-compat 6, operation 5).
 */
export function fetchFaultOf(error: ProductError, cause: string | null): PlaidErrorCode {
  return (
    (cause === null ? undefined : FETCH_FAULTS_BY_CAUSE[error]?.[cause]) ?? FETCH_FAULTS[error]
  );
}

const FETCH_FAULTS_BY_CAUSE: Partial<
  Record<ProductError, Readonly<Record<string, PlaidErrorCode>>>
> = {
  institution_error: { institution_down: 'INSTITUTION_DOWN' },
  // Malformed data from a source is not a fault of the service.
  unknown: { malformed: 'INSTITUTION_NOT_AVAILABLE' },
};

/** Source: plaid-compat 3.7, last lines. */
const FETCH_FAULTS: Record<ProductError, PlaidErrorCode> = {
  auth_expired: 'ITEM_LOGIN_REQUIRED',
  not_supported: 'PRODUCTS_NOT_SUPPORTED',
  no_accounts: 'NO_ACCOUNTS',
  no_permission: 'ADDITIONAL_CONSENT_REQUIRED',
  timeout: 'INSTITUTION_NOT_RESPONDING',
  institution_error: 'INSTITUTION_NOT_RESPONDING',
  rate_limit: 'INSTITUTION_RATE_LIMIT',
  unknown: 'INTERNAL_SERVER_ERROR',
};
