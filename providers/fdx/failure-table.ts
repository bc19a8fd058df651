import {
  KeysRefused,
  ProviderFailure,
  type ProviderCause,
} from '../../domain/errors/provider-failure.js';
import { retryAfterSeconds, transportFailure } from '../http/transport-failure.js';

/** The two servers of a bank: one grants permissions, one returns data. */
export type BankPart = 'authorization' | 'resources';

/** The basis of a permission request: a user who waits, or a stored refresh token. */
export type Stage = 'login' | 'renewal';

type Meaning = readonly [cause: ProviderCause, text: string];

const DOWN = {
  authorization: ['provider_down', 'The authorization server of the bank is not available.'],
  resources: ['institution_down', 'The bank is not available.'],
} as const satisfies Record<BankPart, Meaning>;

const ACCESS_OVER: Meaning = ['consent_expired', 'The bank no longer grants this access.'];
const ACTION_REQUIRED: Meaning = [
  'user_action_required',
  'The bank asks its customer to sign in there first.',
];
const REQUEST_REFUSED: Meaning = ['internal', 'The bank rejected the request as invalid.'];
const TOO_SLOW: Meaning = ['institution_timeout', 'The bank did not respond in time.'];
const ASKED_TO_WAIT: Meaning = ['rate_limited', 'The bank asks us to wait.'];
const NOT_ALLOWED: Meaning = ['no_permission', 'The permission does not include this.'];
const NOT_OFFERED: Meaning = ['not_supported', 'The bank does not offer this.'];
const NOT_UNDERSTOOD: Meaning = ['malformed', 'The response of the bank has an unexpected status.'];
const PAGE: Meaning = ['institution_down', 'A page was returned instead of an answer.'];

/** Codes of FDX API 6; numbers or texts, depending on the bank. */
const BY_FDX_CODE: Readonly<Record<string, Meaning>> = {
  '401': REQUEST_REFUSED,
  '500': DOWN.resources,
  '501': DOWN.resources,
  '503': DOWN.resources,
  '602': NOT_ALLOWED,
  '603': ACCESS_OVER,
  '701': NOT_OFFERED,
  '702': REQUEST_REFUSED,
  '703': REQUEST_REFUSED,
  '704': NOT_OFFERED,
  '1107': NOT_OFFERED,
  '1207': ASKED_TO_WAIT,
};

const BY_STATUS: Readonly<Record<number, Meaning>> = {
  400: REQUEST_REFUSED,
  401: ACCESS_OVER,
  403: NOT_ALLOWED,
  404: NOT_OFFERED,
  405: REQUEST_REFUSED,
  406: REQUEST_REFUSED,
  408: TOO_SLOW,
  422: NOT_OFFERED,
  429: ASKED_TO_WAIT,
  504: TOO_SLOW,
};

/** Errors of the authorization server that have the same meaning at every stage. */
const BY_OAUTH_ERROR: Readonly<Record<string, Meaning>> = {
  access_denied: ['user_denied', 'The customer did not allow the access.'],
  interaction_required: ACTION_REQUIRED,
  login_required: ACTION_REQUIRED,
  consent_required: ACTION_REQUIRED,
  account_selection_required: ACTION_REQUIRED,
  temporarily_unavailable: DOWN.authorization,
  server_error: DOWN.authorization,
  invalid_scope: ['not_supported', 'The bank does not grant the scopes that were asked for.'],
};

const REQUEST_ERRORS: ReadonlySet<string> = new Set(['invalid_request', 'invalid_redirect_uri']);

/** RFC 6749, 5.2: the bank refuses the client, regardless of the customer. */
const KEYS_REFUSED: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

/** The failure for an OAuth error. Its description is dropped, because anyone can write one. */
export function failureOfOAuth(error: string, stage: Stage): ProviderFailure {
  if (KEYS_REFUSED.has(error))
    return new KeysRefused('The bank refused the keys of the configuration.');
  if (error === 'invalid_grant') {
    const [cause, text]: Meaning =
      stage === 'renewal'
        ? ACCESS_OVER
        : ['invalid_credentials', 'The code of the bank is wrong, was used before or has expired.'];
    return new ProviderFailure(cause, text);
  }
  const known = Object.hasOwn(BY_OAUTH_ERROR, error) ? BY_OAUTH_ERROR[error] : undefined;
  if (known !== undefined) return new ProviderFailure(...known);
  if (stage === 'login' && REQUEST_ERRORS.has(error))
    return new ProviderFailure(
      'internal',
      `The bank refused the login request (${error}): the redirect address may not be registered there.`,
    );
  const detail = /^[a-z_]{1,60}$/.test(error) ? ` (${error})` : '';
  return new ProviderFailure('internal', `The bank refused the authorization${detail}.`);
}

const ADDRESS_REFUSED: Meaning = [
  'internal',
  'The bank blocks this machine: its address may not be allowed.',
];

/** The bank may have blocked this machine's address. */
export const isAddressRefused = ({ message }: ProviderFailure): boolean =>
  message.startsWith(ADDRESS_REFUSED[1]);

/**
 * The failure for a status that ends every call of the authorization server, regardless of its
 * body; null for others.
 */
export function failureOfAuthorizationStatus(
  status: number,
  { isJson, retryAfter }: { isJson: boolean; retryAfter: string | string[] | undefined },
): ProviderFailure | null {
  const meaning =
    status === 429 || status === 408 || status === 504
      ? BY_STATUS[status]
      : status >= 500
        ? DOWN.authorization
        : status === 403 && !isJson
          ? ADDRESS_REFUSED
          : undefined;
  return meaning === undefined ? null : failureWith(meaning, status, retryAfter);
}

/** A refusal of the resource server, which was made for one resource. */
export class ResourceRefused extends ProviderFailure {}

/** The failure for a response of the resource server that is not a success. */
export function failureOfResource(
  status: number,
  {
    code,
    isPage,
    retryAfter,
  }: { code: string | null; isPage: boolean; retryAfter: string | undefined },
): ResourceRefused {
  const byStatus = BY_STATUS[status] ?? (status >= 500 ? DOWN.resources : NOT_UNDERSTOOD);
  const byCode = code !== null && Object.hasOwn(BY_FDX_CODE, code) ? BY_FDX_CODE[code] : undefined;
  const [cause, text] = isPage && status !== 429 ? PAGE : (byCode ?? byStatus);
  return new ResourceRefused(cause, textWith(text, status), retryAfterSeconds(retryAfter));
}

/** TLS errors of a handshake in which the bank refuses the client certificate. */
const CERTIFICATE_REFUSED =
  /^ERR_SSL_.*ALERT_(BAD_|UNKNOWN_CA|([A-Z]+_)?CERTIFICATE|ACCESS_DENIED)/;

/** The failure for a broken or silent connection. */
export function failureOfTransport(error: unknown, part: BankPart): ProviderFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (CERTIFICATE_REFUSED.test(code))
    return new KeysRefused('The bank refused the client certificate.');
  return transportFailure(error, DOWN[part][0]);
}

export const consentExpired = (): ProviderFailure => new ProviderFailure(...ACCESS_OVER);

export const noAccounts = (): ProviderFailure =>
  new ProviderFailure('no_accounts', 'The bank shows no account.');

export const unknownInstitution = (): ProviderFailure =>
  new ProviderFailure('not_supported', 'The configuration has no such institution.');

function failureWith(
  [cause, text]: Meaning,
  status: number,
  retryAfter: string | string[] | undefined,
): ProviderFailure {
  return new ProviderFailure(cause, textWith(text, status), retryAfterSeconds(retryAfter));
}

const textWith = (text: string, status: number): string => `${text} (status ${status})`;
