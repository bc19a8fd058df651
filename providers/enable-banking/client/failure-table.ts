import {
  KeysRefused,
  ProviderFailure,
  type ProviderCause,
} from '../../../domain/errors/provider-failure.js';
import { isUnreadable } from '../../http/read-scope.js';
import { retryAfterSeconds } from '../../http/transport-failure.js';

/**
 * `account`: the failure concerns one account only, not the others; `source`: all of them, if the
 * next account fails likewise; `call`: all of them.
 */
type Scope = 'account' | 'source' | 'call';

interface Meaning {
  cause: ProviderCause;
  scope: Scope;
  text: string;
}

const meaning = (cause: ProviderCause, text: string, scope: Scope = 'call'): Meaning => ({
  cause,
  scope,
  text,
});

const SESSION_OVER = meaning('consent_expired', 'The bank no longer grants this access.');
const APPLICATION_REFUSED = meaning(
  'internal',
  'Enable Banking refuses the application or its key: run `providers check` for the reason.',
);
const ACCESS_REFUSED: Meaning = { ...APPLICATION_REFUSED, scope: 'account' };
const REFUSED_REQUEST = meaning(
  'internal',
  'Enable Banking rejected the request as invalid.',
  'account',
);
const CODE_REFUSED = meaning(
  'invalid_credentials',
  'Enable Banking refused the code of the login.',
);
const NO_ACCESS = meaning('no_permission', 'The account cannot be read.', 'account');
const DOWN = meaning('provider_down', 'Enable Banking is not available.', 'source');

/**
 * By the error code. The vendor documents no status for most codes, and returns the same code with
 * several. Source: the vendor's OpenAPI description (ErrorCode).
 */
const BY_CODE: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    ASPSP_ERROR: meaning('institution_down', 'The bank is not available.', 'account'),
    ASPSP_TIMEOUT: meaning('institution_timeout', 'The bank did not respond in time.', 'account'),
    ASPSP_RATE_LIMIT_EXCEEDED: meaning('rate_limited', 'The bank asks us to wait.', 'account'),
    ASPSP_ACCOUNT_NOT_ACCESSIBLE: NO_ACCESS,
    ACCOUNT_DOES_NOT_EXIST: NO_ACCESS,
    INVALID_ACCOUNT_ID: NO_ACCESS,
    ASPSP_PSU_ACTION_REQUIRED: meaning(
      'user_action_required',
      'The bank asks the account owner to do something there first.',
    ),
    EXPIRED_SESSION: SESSION_OVER,
    CLOSED_SESSION: SESSION_OVER,
    REVOKED_SESSION: SESSION_OVER,
    SESSION_DOES_NOT_EXIST: SESSION_OVER,
    WRONG_SESSION_STATUS: SESSION_OVER,
    EXPIRED_AUTHORIZATION_CODE: meaning('consent_expired', 'The login was completed too late.'),
    WRONG_AUTHORIZATION_CODE: CODE_REFUSED,
    ALREADY_AUTHORIZED: CODE_REFUSED,
    WRONG_CREDENTIALS_PROVIDED: meaning('invalid_credentials', 'The bank refused the sign-in.'),
    NO_ACCOUNTS_ADDED: meaning(
      'no_accounts',
      'None of the accounts is linked to the application at Enable Banking.',
    ),
    WRONG_ASPSP_PROVIDED: meaning('not_supported', 'Enable Banking does not know this bank.'),
    REDIRECT_URI_NOT_ALLOWED: meaning(
      'internal',
      'The redirect address is not registered at Enable Banking: see `providers check`.',
    ),
    ACCESS_DENIED: ACCESS_REFUSED,
    INVALID_HOST: REFUSED_REQUEST,
    WRONG_REQUEST_PARAMETERS: REFUSED_REQUEST,
    WRONG_TRANSACTIONS_PERIOD: meaning(
      'malformed',
      'The bank does not list transactions for any of the requested periods.',
      'account',
    ),
    WRONG_DATE_INTERVAL: REFUSED_REQUEST,
    WRONG_CONTINUATION_KEY: meaning('malformed', 'A listing could not be continued.', 'account'),
    DATE_FROM_IN_FUTURE: REFUSED_REQUEST,
    DATE_TO_WITHOUT_DATE_FROM: REFUSED_REQUEST,
    PSU_HEADER_NOT_PROVIDED: REFUSED_REQUEST,
    PSU_HEADER_INVALID: REFUSED_REQUEST,
  }),
);

/** For responses without a listed code, such as those of a proxy in front of the API. */
const BY_STATUS: ReadonlyMap<number, Meaning> = new Map([
  [400, REFUSED_REQUEST],
  [401, APPLICATION_REFUSED],
  [403, ACCESS_REFUSED],
  [408, meaning('institution_timeout', 'The bank did not respond in time.', 'source')],
  [422, REFUSED_REQUEST],
  [429, meaning('rate_limited', 'Enable Banking asks us to wait.')],
]);
const UNEXPECTED = meaning('malformed', 'Enable Banking returned an unexpected response.');

/** A refusal of the API, with its code. */
export class EnableBankingFailure extends ProviderFailure {
  constructor(
    { cause, text, scope }: Meaning,
    readonly status: number,
    /** The vendor's code; null = not a listed one. */
    readonly code: string | null,
    retryAfter: number | null,
  ) {
    super(cause, `${text} (${code ?? `status ${status}`})`, retryAfter);
    this.scope = scope;
  }

  readonly scope: Scope;
}

/** The application is refused, for the data of all users; `code` has the reason. */
export class ApplicationRefused extends KeysRefused {
  constructor(readonly code: string) {
    super(`${APPLICATION_REFUSED.text} (${code})`);
  }
}

/** Not ACCESS_DENIED, which may concern one resource only. */
const REFUSE_KEYS: ReadonlySet<string> = new Set([
  'UNAUTHORIZED_ACCESS',
  'AUTHORIZATION_NOT_PROVIDED',
  'UNAUTHORIZED_IP',
]);

export interface Refusal {
  status: number;
  /** The parsed body; undefined = it is not JSON. */
  body: unknown;
  retryAfter?: string | string[] | undefined;
}

export function failureOfResponse({
  status,
  body,
  retryAfter,
}: Refusal): EnableBankingFailure | ApplicationRefused {
  const code = codeOf(body);
  if (code !== null && REFUSE_KEYS.has(code)) return new ApplicationRefused(code);
  const known = code === null ? undefined : BY_CODE.get(code);
  return new EnableBankingFailure(
    known ?? withoutCode(status, body),
    status,
    known === undefined ? null : code,
    retryAfterSeconds(retryAfter),
  );
}

function withoutCode(status: number, body: unknown): Meaning {
  const isPage = body === undefined;
  if (status >= 500 || (isPage && status >= 400 && status !== 429)) return DOWN;
  return BY_STATUS.get(status) ?? UNEXPECTED;
}

function codeOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  return typeof body.error === 'string' ? body.error : null;
}

export const sessionOver = (): ProviderFailure =>
  new ProviderFailure(SESSION_OVER.cause, SESSION_OVER.text);

export const unknownBank = (): ProviderFailure =>
  new ProviderFailure('not_supported', 'Enable Banking does not know this bank.');

/**
 * The accounts that a failure concerns besides its own: a quota belongs to one account, as does an
 * unreadable response. A broken or silent connection is the source's, if the next account shows it.
 */
export function scopeOf(error: unknown): Scope {
  if (isUnreadable(error)) return 'account';
  if (error instanceof EnableBankingFailure) return error.scope;
  if (!(error instanceof ProviderFailure)) return 'call';
  if (error.providerCause === 'rate_limited') return 'account';
  return OF_CONNECTION.includes(error.providerCause) ? 'source' : 'call';
}

const OF_CONNECTION: readonly ProviderCause[] = ['provider_down', 'institution_timeout'];
