import type { Environment } from '../../domain/environment.js';
import { knownAttributes, SEARCH_ATTRIBUTES } from '../search-attributes.js';
import { LINKS_QUEUE } from '../task-queues.js';

export {
  exchangedSignal, exitUpdate, openSessionUpdate, endedSignal, STEP_REJECTIONS, submitStepUpdate,
  type ExitRequest, type PlainStepInput, type RedirectMove, type SealedStepInput, type ShownStep, type StepRejection, type StepSubmission,
} from '../connect-steps/connect-steps.contract.js';

export const LINK_SESSION_WORKFLOW = 'linkSession';

export interface LinkSessionInput {
  sessionId: string;
  /** A step that takes longer answers `wait` (connect 5, rule 5). */
  softReplyMs: number;
}

export interface LinkSessionResult {
  outcome: 'exchanged' | 'ended';
}

const PREFIX = 'link-session/';

export function linkSessionWorkflowId(sessionId: string): string {
  return PREFIX + sessionId;
}

export function sessionIdOf(workflowId: string): string {
  if (!workflowId.startsWith(PREFIX)) throw new RangeError(`"${workflowId}" is not the id of a link session workflow`);
  return workflowId.slice(PREFIX.length);
}

/**
 * How a client starts the workflow, or finds the running one. A session whose history was lost is started again under
 * the same id and goes on from its row.
 */
export function linkSessionStartOptions(session: LinkSessionInput & { appId: string; environment: Environment }) {
  const { sessionId, softReplyMs, appId, environment } = session;
  return {
    workflowId: linkSessionWorkflowId(sessionId),
    taskQueue: LINKS_QUEUE,
    args: [{ sessionId, softReplyMs }] as [LinkSessionInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    typedSearchAttributes: knownAttributes([
      { key: SEARCH_ATTRIBUTES.linkSessionId, value: sessionId },
      { key: SEARCH_ATTRIBUTES.appId, value: appId },
      { key: SEARCH_ATTRIBUTES.environment, value: environment },
    ]),
    staticSummary: `New link for ${appId} (${environment})`,
    staticDetails: `Runs the steps of session \`${sessionId}\` in Connect until its token is exchanged or the session ends.`,
  };
}
