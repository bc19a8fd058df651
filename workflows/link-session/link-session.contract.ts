import type { SessionInput } from '../connect-steps/connect-steps.contract.js';
import { sessionStartOptions, type SessionStart } from '../connect-steps/session-start.js';

export {
  exchangedSignal,
  openSessionUpdate,
  endedSignal,
  submitStepUpdate,
  type ExitRequest,
  type PlainStepInput,
  type RedirectMove,
  type SealedStepInput,
  type ShownStep,
  type StepRejection,
  type StepSubmission,
} from '../connect-steps/connect-steps.contract.js';

export const LINK_SESSION_WORKFLOW = 'linkSession';

export type LinkSessionInput = SessionInput;

export interface LinkSessionResult {
  /** `extended`: the user chose the existing link, so there is no token to exchange. */
  outcome: 'exchanged' | 'extended' | 'ended';
}

export function linkSessionWorkflowId(sessionId: string): string {
  return `link-session/${sessionId}`;
}

/**
 * Starts the workflow or finds the running one. A session whose history was lost is started again
 * under the same id and continues from its row.
 */
export function linkSessionStartOptions(session: SessionStart) {
  const { sessionId, appId, environment } = session;
  return {
    ...sessionStartOptions(session),
    workflowId: linkSessionWorkflowId(sessionId),
    staticSummary: `New link for ${appId} (${environment})`,
    staticDetails: `Runs the steps of session \`${sessionId}\` in Connect until its token is exchanged or the session ends.`,
  };
}
