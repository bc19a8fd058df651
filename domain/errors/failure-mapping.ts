import { FETCH_FAULTS, type LinkError } from '../link/link-state.js';
import type { ProductError } from '../link/product-state.js';
import type { ProviderCause } from './provider-failure.js';

/**
 * The meaning of each provider cause: for the link when it ends a login, for the user in Connect,
 * and for a product when it ends a fetch. `endsPermission`: the bank will not respond again before
 * a reauthentication (auth_lost). `retryable`: retrying within one fetch makes sense. Sources:
 * link-lifecycle 6.1 and 14 (table of fault kinds), connect 6.
 */
export interface FailureMeaning {
  linkError: LinkError;
  errorId: string;
  productError: ProductError;
  endsPermission: boolean;
  retryable: boolean;
  /** Text for `error_message` on the wire. Never contains a secret. */
  text: string;
}

export const FAILURE_MEANINGS: Record<ProviderCause, FailureMeaning> = {
  invalid_credentials: meaning(
    'user_error',
    'connect_error.invalid_credentials',
    'auth_expired',
    'The bank did not accept the sign-in.',
    { endsPermission: true },
  ),
  mfa_failed: meaning(
    'user_error',
    'connect_error.mfa_failed',
    'auth_expired',
    'The bank did not accept the additional check.',
    { endsPermission: true },
  ),
  account_locked: meaning(
    'user_error',
    'connect_error.account_locked',
    'auth_expired',
    'The bank has locked this sign-in.',
    { endsPermission: true },
  ),
  user_action_required: meaning(
    'user_error',
    'connect_error.user_action_required',
    'auth_expired',
    'The bank asks the account owner to do something there first.',
    { endsPermission: true },
  ),
  user_denied: meaning(
    'user_error',
    'connect_error.oauth_denied',
    'auth_expired',
    'The account owner did not allow access at the bank.',
    { endsPermission: true },
  ),
  incomplete: meaning(
    'incomplete',
    'connect_error.incomplete',
    'auth_expired',
    'A step at the bank is still open.',
    { endsPermission: true },
  ),
  consent_expired: meaning(
    'user_error',
    'connect_error.invalid_credentials',
    'auth_expired',
    'The bank asks the account owner to sign in again.',
    { endsPermission: true },
  ),
  no_accounts: meaning(
    'institution_error',
    'connect_error.no_accounts',
    'no_accounts',
    'The bank has no account for this sign-in.',
  ),
  no_eligible_accounts: meaning(
    'institution_error',
    'connect_error.no_eligible_accounts',
    'no_accounts',
    'None of the accounts at the bank can be used here.',
  ),
  no_permission: meaning(
    'user_error',
    'connect_error.user_action_required',
    'no_permission',
    'The account owner withdrew the permission for this data at the bank.',
  ),
  not_supported: meaning(
    'institution_error',
    'connect_error.no_eligible_accounts',
    'not_supported',
    'The bank does not offer this data.',
  ),
  institution_down: meaning(
    'institution_error',
    'connect_error.institution_down',
    'institution_error',
    'The bank is not reachable at the moment.',
    { retryable: true },
  ),
  institution_timeout: meaning(
    'institution_error',
    'connect_error.timeout',
    'timeout',
    'The bank did not answer in time.',
    { retryable: true },
  ),
  provider_down: meaning(
    'provider_error',
    'connect_error.provider_down',
    'unknown',
    'The data provider is not reachable at the moment.',
    { retryable: true },
  ),
  rate_limited: meaning(
    'provider_error',
    'connect_error.provider_down',
    'rate_limit',
    'The data provider asks us to wait.',
    { retryable: true },
  ),
  malformed: meaning(
    'provider_error',
    'connect_error.provider_down',
    'unknown',
    'The bank or the data provider sent an answer that cannot be read.',
    { retryable: true },
  ),
  internal: meaning(
    'system_error',
    'connect_error.internal',
    'unknown',
    'Something went wrong on our side.',
    { retryable: true },
  ),
};

/**
 * The link error that a failed fetch reveals, or null: missing data, or data the account owner
 * withdrew, is not evidence about the link. Source: link-lifecycle 6.2, fetch_faulty.
 */
export function faultOf(cause: ProviderCause): LinkError | null {
  const { linkError, productError } = FAILURE_MEANINGS[cause];
  return FETCH_FAULTS.includes(linkError) && productError !== 'not_supported' ? linkError : null;
}

/** The text of a failure that ends at a known time: `… asks us to wait until 2026-03-02 10:15:32 UTC.` */
export function textUntil({ text }: FailureMeaning, until: Date): string {
  return `${text.slice(0, -1)} until ${until.toISOString().slice(0, 19).replace('T', ' ')} UTC.`;
}

function meaning(
  linkError: LinkError,
  errorId: string,
  productError: ProductError,
  text: string,
  flags: { endsPermission?: boolean; retryable?: boolean } = {},
): FailureMeaning {
  return {
    linkError,
    errorId,
    productError,
    text,
    endsPermission: flags.endsPermission ?? false,
    retryable: flags.retryable ?? false,
  };
}
