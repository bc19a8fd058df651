import { ProviderFailure, type ProviderCause } from '../../../domain/errors/provider-failure.js';
import { retryAfterSeconds, transportFailure } from '../../http/transport-failure.js';

/** A refusal has different meanings while a user signs in and when stored access is used. */
export type Operation = 'login' | 'data';

interface Meaning {
  login: ProviderCause;
  data: ProviderCause;
  text: string;
}

const meaning = (cause: ProviderCause, text: string): Meaning => ({
  login: cause,
  data: cause,
  text,
});
const REQUEST_REFUSED = meaning('internal', 'The bank rejected the request as invalid.');
const BANK_DOWN = meaning('institution_down', 'The bank is not available.');
const TOO_SLOW = meaning('institution_timeout', 'The bank did not respond in time.');
const NOT_UNDERSTOOD = meaning('malformed', 'The response of the bank could not be understood.');
const ACCESS_OVER: Meaning = {
  login: 'internal',
  data: 'consent_expired',
  text: 'The bank no longer grants this access.',
};

/** By the code in the bank's error body, if it is more specific than the status. */
const BY_CODE: Readonly<Record<string, Meaning>> = {
  unauthorized: meaning(
    'institution_down',
    'The sandbox bank does not accept SANDBOX_BANK_SECRET: the worker and the bank must use the same value.',
  ),
  unknown_institution: meaning('not_supported', 'The bank does not know this institution.'),
  unknown_world: REQUEST_REFUSED,
  invalid_token: ACCESS_OVER,
  consent_revoked: ACCESS_OVER,
  consent_expired: ACCESS_OVER,
  login_refused: meaning('consent_expired', 'The bank refused the sign-in.'),
  access_denied: meaning('no_permission', 'The bank does not allow this.'),
  no_accounts: meaning('no_accounts', 'The bank shows no account.'),
  not_offered: meaning('not_supported', 'The bank does not offer this.'),
  partner_unavailable: meaning('provider_down', 'The partner of the bank is not available.'),
};

/** By the reason of a refused login. */
const BY_REFUSAL = {
  WRONG_PASSWORD: 'invalid_credentials',
  FACTOR_FAILED: 'mfa_failed',
  ACCOUNT_LOCKED: 'account_locked',
  CUSTOMER_MUST_ACT: 'user_action_required',
  STEP_OUTSIDE: 'incomplete',
  DENIED: 'user_denied',
  LOGIN_EXPIRED: 'institution_timeout',
  BANK_DOWN: 'institution_down',
  PARTNER_DOWN: 'provider_down',
  SYSTEM_FAULT: 'internal',
} as const satisfies Readonly<Record<string, ProviderCause>>;

/** By the OAuth error in the redirect from the bank. */
const BY_OAUTH_ERROR: Readonly<Record<string, ProviderCause>> = {
  access_denied: 'user_denied',
  temporarily_unavailable: 'institution_down',
  server_error: 'institution_down',
  partner_unavailable: 'provider_down',
  system_fault: 'internal',
  customer_action_required: 'user_action_required',
  step_outside_required: 'incomplete',
  account_locked: 'account_locked',
  // The code was used before or has expired.
  invalid_grant: 'institution_timeout',
};

/** The bank already accepted an earlier answer to this step; the login is now at another step. */
export class LoginMovedOn extends ProviderFailure {
  constructor() {
    super('internal', 'The login has moved on at the bank.');
  }
}

const BY_STATUS: Readonly<Record<number, Meaning>> = {
  400: REQUEST_REFUSED,
  401: ACCESS_OVER,
  403: ACCESS_OVER,
  404: ACCESS_OVER,
  405: REQUEST_REFUSED,
  408: TOO_SLOW,
  409: REQUEST_REFUSED,
  413: REQUEST_REFUSED,
  415: REQUEST_REFUSED,
  429: meaning('rate_limited', 'The bank asks us to wait.'),
  504: TOO_SLOW,
};

/** The failure for a response with an unexpected status. */
export function failureOfResponse(
  operation: Operation,
  status: number,
  retryAfter: string | string[] | undefined,
  body: unknown,
): ProviderFailure {
  if (status === 409 && rawCodeOf(body) === 'stale_step') return new LoginMovedOn();
  const known =
    BY_CODE[errorCodeOf(body)] ?? BY_STATUS[status] ?? (status >= 500 ? BANK_DOWN : NOT_UNDERSTOOD);
  return new ProviderFailure(
    known[operation],
    `${known.text} (status ${status})`,
    retryAfterSeconds(retryAfter),
  );
}

export const REFUSAL_REASONS = Object.keys(BY_REFUSAL) as (keyof typeof BY_REFUSAL)[];

/** The failure for a refused login. */
export function failureOfRefusal(reason: keyof typeof BY_REFUSAL): ProviderFailure {
  return new ProviderFailure(BY_REFUSAL[reason], `The bank ended the login: ${reason}.`);
}

/** The failure for an OAuth error. Its description is dropped, because anyone can write one. */
export function failureOfOAuth(error: string): ProviderFailure {
  const cause = Object.hasOwn(BY_OAUTH_ERROR, error) ? BY_OAUTH_ERROR[error] : undefined;
  return new ProviderFailure(
    cause ?? 'internal',
    cause === undefined
      ? 'The bank refused the authorization.'
      : `The bank ended the authorization: ${error}.`,
  );
}

/** The failure for a broken or silent connection. */
export function failureOfTransport(error: unknown): ProviderFailure {
  return transportFailure(error, 'institution_down');
}

function codeOf(error: unknown): string {
  return typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string'
    ? error.code
    : '';
}

function rawCodeOf(body: unknown): string {
  return codeOf(typeof body === 'object' && body !== null && 'error' in body ? body.error : null);
}

function errorCodeOf(body: unknown): string {
  const code = rawCodeOf(body);
  return Object.hasOwn(BY_CODE, code) ? code : '';
}
