import type { Step, StepKind } from '../session/connect-step.js';
import type { PlaidErrorCode } from './errors.js';

/** Where a user left a session, or stood when its time was over: what its client may be told later. */
export interface SessionExit {
  /** ISO 8601. */
  at: string;
  institutionId: string | null;
  /** He found no institution. */
  searchedInVain: boolean;
  kind: StepKind | null;
  /** Of forms and choices. */
  purpose: string | null;
  /** An id of connect 6: what went wrong last. */
  problem: string | null;
}

/** What a step shows, without what the bank or its user said. */
export function exitAt(
  step: Step | null,
  {
    at,
    institutionId,
    searchedInVain,
  }: { at: Date; institutionId: string | null; searchedInVain: boolean },
): SessionExit {
  return {
    at: at.toISOString(),
    institutionId,
    searchedInVain,
    kind: step?.kind ?? null,
    purpose: step !== null && 'purpose' in step ? step.purpose : null,
    problem: step === null ? null : problemOf(step),
  };
}

/** As Connect tells it to its page: an answer that was refused, or what ended the attempt. */
function problemOf(step: Step): string | null {
  if (step.kind === 'error') return step.error_id;
  if (step.error === null || NO_PROBLEMS.has(step.error.code)) return null;
  return step.kind === 'form' && step.purpose === 'credentials'
    ? 'connect_error.invalid_credentials'
    : 'connect_error.mfa_failed';
}

const NO_PROBLEMS: ReadonlySet<string> = new Set(['interrupted', 'resend_too_early']);

/** plaid-compat 10.2: what the user was asked for. */
const STATUSES: Partial<Record<StepKind, string>> = {
  redirect: 'requires_oauth',
  otp: 'requires_code',
  image: 'requires_questions',
  select_accounts: 'requires_account_selection',
  consent: 'requires_selections',
};
const STATUSES_BY_PURPOSE: Readonly<Record<string, string>> = {
  credentials: 'requires_credentials',
  questions: 'requires_questions',
  details: 'requires_questions',
  otp_device: 'choose_device',
  option: 'choose_device',
};

/** `login`: of the institution; what ended an attempt there followed from what its login asked for. */
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

/** Of these the login is not what was asked for last. */
const STATUSES_BY_PROBLEM: Readonly<Record<string, string>> = {
  'connect_error.mfa_failed': 'requires_code',
  'connect_error.oauth_denied': 'requires_oauth',
};
const STATUSES_OF_LOGIN: Readonly<Record<string, string>> = {
  credentials: 'requires_credentials',
  oauth: 'requires_oauth',
};

/** plaid-compat 3.7 and 10.2: what the problems of Connect (connect 6) are called. */
const CODES: Readonly<Record<string, PlaidErrorCode>> = {
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

/** Null = he simply left. */
export function exitError({ problem }: SessionExit): PlaidErrorCode | null {
  return problem === null ? null : (CODES[problem] ?? 'INTERNAL_SERVER_ERROR');
}
