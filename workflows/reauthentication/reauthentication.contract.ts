import type { SessionInput } from '../connect-steps/connect-steps.contract.js';
import { sessionStartOptions, type SessionStart } from '../connect-steps/session-start.js';

export const REAUTHENTICATION_WORKFLOW = 'reauthentication';

export type ReauthenticationInput = SessionInput;

export interface ReauthenticationResult {
  outcome: 'succeeded' | 'ended';
}

export function reauthenticationWorkflowId(sessionId: string): string {
  return `reauthentication/${sessionId}`;
}

/** Starts the workflow or finds the running one. A lost history starts again from the row. */
export function reauthenticationStartOptions(session: SessionStart) {
  const { sessionId, appId, environment } = session;
  return {
    ...sessionStartOptions(session),
    workflowId: reauthenticationWorkflowId(sessionId),
    staticSummary: `Re-authentication for ${appId} (${environment})`,
    staticDetails: `Runs the steps of session \`${sessionId}\` in Connect over an existing link, which stays as it is until they succeed.`,
  };
}
