import type { ConnectProblemId } from '../session/connect-problem.js';
import type { StepKind } from '../session/connect-step.js';
import type { SessionExit, StepPurpose } from '../session/session-exit.js';
import type { PlaidErrorCode } from './errors.js';

/** plaid-compat 10.2: the input that was requested from the user, by the kind of the step. */
const STATUSES: Partial<Record<StepKind, string>> = {
  redirect: 'requires_oauth',
  otp: 'requires_code',
  image: 'requires_questions',
  select_accounts: 'requires_account_selection',
  consent: 'requires_selections',
};
const STATUSES_BY_PURPOSE: Partial<Record<StepPurpose, string>> = {
  credentials: 'requires_credentials',
  questions: 'requires_questions',
  details: 'requires_questions',
  otp_device: 'choose_device',
  option: 'choose_device',
};

/**
 * `login`: the institution's kind of login, which determines the input that a failed attempt had
 * requested.
 */
export function exitStatus(
  { searchedInVain, kind, purpose, problem }: SessionExit,
  login: string | null,
): string | null {
  if (searchedInVain) return 'institution_not_found';
  if (kind === 'error')
    return problem === null
      ? null
      : (STATUSES_BY_PROBLEM[problem] ?? STATUSES_OF_LOGIN[login ?? ''] ?? null);
  if (kind === null) return null;
  return (purpose === null ? STATUSES[kind] : STATUSES_BY_PURPOSE[purpose]) ?? null;
}

/** Problems that follow a question after the login. */
const STATUSES_BY_PROBLEM: Partial<Record<ConnectProblemId, string>> = {
  'connect_error.mfa_failed': 'requires_code',
  'connect_error.oauth_denied': 'requires_oauth',
};
const STATUSES_OF_LOGIN: Readonly<Record<string, string>> = {
  credentials: 'requires_credentials',
  oauth: 'requires_oauth',
};

/** plaid-compat 3.7 and 10.2, for the problems of connect 6. */
const CODES: Partial<Record<ConnectProblemId, PlaidErrorCode>> = {
  'connect_error.invalid_credentials': 'INVALID_CREDENTIALS',
  'connect_error.mfa_failed': 'INVALID_MFA',
  'connect_error.account_locked': 'ITEM_LOCKED',
  'connect_error.user_action_required': 'USER_SETUP_REQUIRED',
  'connect_error.oauth_denied': 'ACCESS_NOT_GRANTED',
  'connect_error.incomplete': 'INSUFFICIENT_CREDENTIALS',
  'connect_error.no_accounts': 'NO_ACCOUNTS',
  'connect_error.no_eligible_accounts': 'NO_ACCOUNTS',
  'connect_error.institution_down': 'INSTITUTION_DOWN',
  'connect_error.timeout': 'INSTITUTION_NOT_RESPONDING',
  'connect_error.provider_down': 'INSTITUTION_NOT_AVAILABLE',
  'connect_error.trial_limit_reached': 'CREDITS_EXHAUSTED',
};

/** Null = the user left without a problem. */
export function exitError({ problem }: SessionExit): PlaidErrorCode | null {
  return problem === null ? null : (CODES[problem] ?? 'INTERNAL_SERVER_ERROR');
}
