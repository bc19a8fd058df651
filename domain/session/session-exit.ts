import { isConnectProblem, type ConnectProblemId } from './connect-problem.js';
import type { Step, StepKind } from './connect-step.js';

export type StepPurpose = Extract<Step, { purpose: string }>['purpose'];

/** The step at which the user left a session, or at which it expired. */
export interface SessionExit {
  /** ISO 8601. */
  at: string;
  institutionId: string | null;
  /** The user searched for an institution and did not find it. */
  searchedInVain: boolean;
  kind: StepKind | null;
  /** Set for forms and choices. */
  purpose: StepPurpose | null;
  /** The last problem, an id of connect 6. */
  problem: ConnectProblemId | null;
}

/**
 * Describes the step at which a session was left, without any text of the bank or input of the
 * user.
 */
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

/**
 * The problem that Connect reports to its page: a refused answer, or the reason that the attempt
 * ended.
 */
function problemOf(step: Step): ConnectProblemId | null {
  if (step.kind === 'error')
    return isConnectProblem(step.error_id) ? step.error_id : 'connect_error.internal';
  if (step.error === null || NO_PROBLEMS.has(step.error.code)) return null;
  return step.kind === 'form' && step.purpose === 'credentials'
    ? 'connect_error.invalid_credentials'
    : 'connect_error.mfa_failed';
}

const NO_PROBLEMS: ReadonlySet<string> = new Set(['interrupted', 'resend_too_early']);
