import type { ProviderCause } from '../../../../domain/errors/provider-failure.js';
import { FAILURE_MEANINGS } from '../../../../domain/errors/failure-mapping.js';

export type Side = 'bank' | 'source' | 'user' | 'service';

/** Whose fault a failed login is. */
const SIDES: Readonly<Record<ProviderCause, Side>> = {
  institution_down: 'bank',
  institution_timeout: 'bank',
  provider_down: 'source',
  rate_limited: 'source',
  malformed: 'source',
  invalid_credentials: 'user',
  mfa_failed: 'user',
  user_denied: 'user',
  account_locked: 'user',
  user_action_required: 'user',
  incomplete: 'user',
  consent_expired: 'user',
  no_permission: 'user',
  no_accounts: 'bank',
  no_eligible_accounts: 'bank',
  not_supported: 'bank',
  internal: 'service',
};

const REMEDIES: Readonly<Record<Side, string | null>> = {
  bank: 'Wait; if logins of others fail there too, pause its refreshes: institutions pause.',
  source: 'See providers check and quotas show; other routes of the bank are tried by themselves.',
  // The user sees it in Connect, with what to do.
  user: null,
  service: 'Look for the log lines with the id of the session, and report the fault.',
};

/** @param cause as stored; an unknown one is a fault of the service, which has no name for it */
export const sideOfCause = (cause: string): Side =>
  Object.hasOwn(SIDES, cause) ? SIDES[cause as ProviderCause] : 'service';

/** @param cause as stored; a later version may have others */
export function explainFailedLogin(cause: string): { text: string; remedy: string | null } {
  if (!Object.hasOwn(SIDES, cause)) return { text: `It failed: ${cause}.`, remedy: null };
  const known = cause as ProviderCause;
  const side = SIDES[known];
  return {
    text: `It failed (${cause}, ${side}): ${FAILURE_MEANINGS[known].text}`,
    remedy: REMEDIES[side],
  };
}
