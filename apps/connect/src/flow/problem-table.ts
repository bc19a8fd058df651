import type { ErrorAction } from '../../../../packages/connect-protocol/src/step.js';
import type { TextKey } from '../texts/catalog.js';

/** The small picture over a problem. */
export type Sign =
  | 'bank'
  | 'clock'
  | 'connected'
  | 'connection'
  | 'declined'
  | 'key'
  | 'lock'
  | 'no_accounts'
  | 'page'
  | 'service'
  | 'to_do';

export interface ProblemRow {
  sign: Sign;
  /** The sentence about the user's part; null where the button is the whole remedy. */
  deed: TextKey | null;
  /** True: the deed is at this bank, so another bank is no remedy of it. */
  isAtBank: boolean;
  /** The fault of a failed call that ends the attempt; null where it can be repeated. */
  endsBy: 'user' | 'service' | null;
  /** After it the user reads that nothing was shared, or that the existing connection is as it was. */
  reassures: boolean;
}

/** Problems of failed calls: their texts are in the first load, because the network may have failed. */
export const CALL_PROBLEMS = {
  internal: row('service'),
  invalid_session_token: row('page', 'start_again', 'user'),
  address_needed: row('page', 'same_browser', 'user'),
  origin_not_allowed: row('declined', null, 'service'),
  institution_not_available: row('bank', null, 'service'),
  session_expired: row('clock', 'start_again', 'user'),
  session_closed: row('page', null, 'user'),
  oauth_state_invalid: row('connection', 'start_again', 'user'),
  unavailable: row('service', 'wait_a_moment'),
  unsupported_step: row('page', 'start_again', 'service'),
};

/** Problems that the service reports as an error step. Source: connect 6. */
export const STEP_PROBLEMS = {
  invalid_credentials: attempt('key', 'check_entry'),
  mfa_failed: attempt('key'),
  account_locked: attempt('lock', 'unlock', true),
  user_action_required: attempt('to_do', 'do_what_it_asks', true),
  incomplete: attempt('to_do', 'finish_there', true),
  oauth_denied: attempt('declined'),
  no_accounts: attempt('no_accounts'),
  no_eligible_accounts: attempt('no_accounts'),
  institution_down: attempt('bank'),
  timeout: attempt('clock'),
  provider_down: attempt('connection'),
  // The bank is shared already, so nothing of this attempt needs a word.
  duplicate_institution: row('connected'),
  trial_limit_reached: attempt('declined'),
};

export type ProblemName = keyof typeof CALL_PROBLEMS | keyof typeof STEP_PROBLEMS;

const ROWS: Record<ProblemName, ProblemRow> = { ...CALL_PROBLEMS, ...STEP_PROBLEMS };

/** A limit of calls looks to the user like a service that is unavailable. */
const SAME_PROBLEM: Record<string, ProblemName> = { rate_limited: 'unavailable' };

/** The problem by the id of its error; null for one that this version does not know. */
export function problemNameOf(errorId: string): ProblemName | null {
  const name = errorId.replace(/^connect_error\./, '');
  if (Object.hasOwn(SAME_PROBLEM, name)) return SAME_PROBLEM[name] ?? null;
  return Object.hasOwn(ROWS, name) ? (name as ProblemName) : null;
}

/** An unknown problem has the service's own sentence. */
export function problemRowOf(name: ProblemName | null): ProblemRow {
  return name === null ? row('service') : ROWS[name];
}

/**
 * The one remedy of a problem: the first that the service names, as it fits the deed. The other ways
 * to continue are links; leaving is possible by × as well.
 * @param wasAtBank the user has opened the bank's website from here, so the deed may be done
 */
export function remedyOf(
  name: ProblemName | null,
  actions: readonly ErrorAction[],
  { wasAtBank }: { wasAtBank: boolean } = { wasAtBank: false },
): { remedy: ErrorAction; others: ErrorAction[] } {
  const { isAtBank } = problemRowOf(name);
  const isRemedy = (action: ErrorAction): boolean =>
    !(isAtBank && action === 'choose_another') && !(wasAtBank && action === 'open_institution');
  const remedy = actions.find(isRemedy) ?? 'exit';
  return {
    remedy,
    others: actions.filter((action) => action !== remedy && action !== 'exit'),
  };
}

function row(
  sign: Sign,
  deed: TextKey | null = null,
  endsBy: ProblemRow['endsBy'] = null,
): ProblemRow {
  return { sign, deed, endsBy, isAtBank: false, reassures: false };
}

/** A failed attempt: nothing of it was shared. */
function attempt(sign: Sign, deed: TextKey | null = null, isAtBank = false): ProblemRow {
  return { sign, deed, endsBy: null, isAtBank, reassures: true };
}
