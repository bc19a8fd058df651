import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Environment } from '../../domain/api/environment.js';
import type {
  PlainAnswer,
  RedirectMove,
  SealedAnswer,
} from '../../domain/session/session-phase.js';
import { knownAttributes, SEARCH_ATTRIBUTES } from '../search-attributes.js';
import { linksQueue } from '../task-queues.js';
import { pinned, type WorkflowCommand, type WorkflowContract } from '../workflow.contract.js';

export const LINK_SESSION_WORKFLOW = 'linkSession';
export const REAUTHENTICATION_WORKFLOW = 'reauthentication';
export const REAUTHENTICATION_CONTRACT = {
  type: REAUTHENTICATION_WORKFLOW,
  versioning: pinned('a user is in the middle of it, and it ends within hours'),
} as const satisfies WorkflowContract;

export interface SessionInput {
  sessionId: string;
  /** A step that takes longer than this gets a `wait` reply (connect 5, rule 5). */
  softReplyMs: number;
}

export interface LinkSessionResult {
  /** `extended`: the user chose the existing link, so there is no token to exchange. */
  outcome: 'exchanged' | 'extended' | 'ended';
}

export interface ReauthenticationResult {
  outcome: 'succeeded' | 'ended';
}

/** The step that the session shows after the message; its content is in the session's row. */
export interface ShownStep {
  seq: number;
}

/**
 * One action of the user. connect 5, rules 1 and 3: `seq` is the step it answers; `requestId` is
 * also the Update id.
 */
export interface StepSubmission {
  seq: number;
  requestId: string;
  input: PlainAnswer | SealedAnswer | RedirectMove;
}

export interface ExitRequest {
  /** connect 4: `user_closed`, `connect_manually`, `programmatic` or `error`. */
  reason: string;
}

/** Types of the ApplicationFailure that rejects a message. connect 5, rules 2 and 8. */
export const STEP_REJECTIONS = ['SessionClosed', 'StepInProgress', 'StaleStep'] as const;
export type StepRejection = (typeof STEP_REJECTIONS)[number];

/** Shows the first step of a session; has no effect if a step is already shown. */
export const openSessionUpdate = defineUpdate<ShownStep, []>('openSession');
/** Answers step `seq`. Returns with the next step, or with `wait` after the soft reply time. */
export const submitStepUpdate = defineUpdate<ShownStep, [StepSubmission]>('submitStep');
/** Ends the attempt, not the session. No effect after success. */
export const exitUpdate = defineUpdate<ShownStep, [ExitRequest]>('exitSession');

/** The exchangeable token was exchanged. */
export const exchangedSignal = defineSignal('exchanged');
/** The session was ended outside the workflow, by the deletion of its link or by the sweeper. */
export const endedSignal = defineSignal('sessionEnded');

export function linkSessionWorkflowId(sessionId: string): string {
  return `link-session/${sessionId}`;
}

export function reauthenticationWorkflowId(sessionId: string): string {
  return `reauthentication/${sessionId}`;
}

/** The input of a session's workflow start. */
export interface SessionStart extends SessionInput {
  appId: string;
  environment: Environment;
}

/**
 * Starts the workflow or finds the running one. A session whose history was lost is started again
 * under the same id and continues from its row.
 */
export function linkSessionStartOptions(session: SessionStart) {
  const { sessionId, appId, environment } = session;
  return {
    ...startOptions(session),
    workflowId: linkSessionWorkflowId(sessionId),
    staticSummary: `New link for ${appId} (${environment})`,
    staticDetails: `Runs the steps of session \`${sessionId}\` in Connect until its token is exchanged or the session ends.`,
  };
}

/** Starts the workflow or finds the running one. A lost history starts again from the row. */
export function reauthenticationStartOptions(session: SessionStart) {
  const { sessionId, appId, environment } = session;
  return {
    ...startOptions(session),
    workflowId: reauthenticationWorkflowId(sessionId),
    staticSummary: `Re-authentication for ${appId} (${environment})`,
    staticDetails: `Runs the steps of session \`${sessionId}\` in Connect over an existing link, which stays as it is until they succeed.`,
  };
}

function startOptions({ sessionId, softReplyMs, appId, environment }: SessionStart) {
  return {
    taskQueue: linksQueue(environment),
    args: [{ sessionId, softReplyMs }] as [SessionInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    typedSearchAttributes: knownAttributes([
      { key: SEARCH_ATTRIBUTES.linkSessionId, value: sessionId },
      { key: SEARCH_ATTRIBUTES.appId, value: appId },
      { key: SEARCH_ATTRIBUTES.environment, value: environment },
    ]),
  };
}

interface SignalSession {
  sessionId: string;
  mode: 'link' | 'relink';
  signal: 'exchanged' | 'ended';
}

/** A session without a running workflow needs no notification. */
const signalSession: WorkflowCommand<SignalSession> = {
  action: ({ sessionId, mode, signal }) => ({
    name: 'signal',
    workflowId:
      mode === 'link' ? linkSessionWorkflowId(sessionId) : reauthenticationWorkflowId(sessionId),
    signal: signal === 'exchanged' ? exchangedSignal : endedSignal,
  }),
};

export const LINK_SESSION_CONTRACT = {
  type: LINK_SESSION_WORKFLOW,
  versioning: pinned('a user is in the middle of it, and it ends within hours'),
  commands: { signalSession },
} as const satisfies WorkflowContract;
