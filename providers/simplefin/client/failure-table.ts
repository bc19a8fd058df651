import { ProviderFailure, type ProviderCause } from '../../../domain/errors/provider-failure.js';
import { retryAfterSeconds } from '../../http/transport-failure.js';

/** A refusal has different meanings for a setup token and for stored access. */
export type Operation = 'claim' | 'data' | 'info';

interface Meaning {
  claim: ProviderCause;
  data: ProviderCause;
  text: string;
}

const same = (cause: ProviderCause, text: string): Meaning => ({ claim: cause, data: cause, text });

const REFUSED: Meaning = {
  claim: 'invalid_credentials',
  data: 'consent_expired',
  text: 'The SimpleFIN server refused the credentials.',
};
const DOWN = same('provider_down', 'The SimpleFIN server is not available.');
const NOT_UNDERSTOOD = same('malformed', 'The SimpleFIN server returned an unexpected response.');
const SHIELDED = same('provider_down', 'A page was returned instead of an answer.');

const BY_STATUS: Readonly<Record<number, Meaning>> = {
  // Only the token can be wrong in a claim.
  400: {
    claim: 'invalid_credentials',
    data: 'internal',
    text: 'The SimpleFIN server rejected the request as invalid.',
  },
  401: REFUSED,
  402: same('user_action_required', 'The user has to pay the SimpleFIN server first.'),
  403: REFUSED,
  404: { ...REFUSED, data: 'malformed' },
  408: same('institution_timeout', 'The SimpleFIN server did not receive the request in time.'),
  410: REFUSED,
  429: same('rate_limited', 'The SimpleFIN server asks us to wait.'),
  504: same('institution_timeout', 'The SimpleFIN server did not respond in time.'),
};

/**
 * The failure for a response that is not a success. A page, regardless of its status, comes from a
 * proxy in front of the server, and is not evidence about the credentials.
 */
export function failureOfResponse(
  operation: Operation,
  {
    status,
    isPage,
    retryAfter,
  }: { status: number; isPage: boolean; retryAfter?: string | string[] | undefined },
): ProviderFailure {
  const known = BY_STATUS[status] ?? (status >= 500 ? DOWN : NOT_UNDERSTOOD);
  const meaning = isPage && status !== 429 ? SHIELDED : known;
  return new ProviderFailure(
    meaning[operation === 'claim' ? 'claim' : 'data'],
    `${meaning.text} (status ${status})`,
    retryAfterSeconds(retryAfter),
  );
}

/** The fault is the server's: it read and accepted the token. */
export const badAccessUrl = (): ProviderFailure =>
  new ProviderFailure(
    'institution_down',
    'The SimpleFIN server did not return an access URL with an allowed host for the setup token.',
  );

export const consentExpired = (): ProviderFailure =>
  new ProviderFailure('consent_expired', 'The SimpleFIN server no longer grants this access.');

export const allBanksFailed = (): ProviderFailure =>
  new ProviderFailure('institution_down', 'The SimpleFIN server reaches none of the banks.');

export const tooSlow = (): ProviderFailure =>
  new ProviderFailure('institution_timeout', 'The SimpleFIN server did not respond in time.');

export const unknownInstitution = (): ProviderFailure =>
  new ProviderFailure('not_supported', 'SimpleFIN does not know this institution.');

export const noAccounts = (): ProviderFailure =>
  new ProviderFailure('no_accounts', 'The SimpleFIN server lists no account.');

export const noMoney = (): ProviderFailure =>
  new ProviderFailure('no_eligible_accounts', 'None of the accounts is kept in money.');
