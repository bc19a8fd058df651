import {
  ApplicationFailure,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import type { TemporalClient } from '../../../../platform/src/temporal/temporal-client.js';
import type { SessionRecord } from '../../../../../prisma/sessions/session-record.js';
import {
  exitUpdate,
  openSessionUpdate,
  STEP_REJECTIONS,
  submitStepUpdate,
  type StepRejection,
  type StepSubmission,
} from '../../../../../workflows/connect-steps/connect-steps.contract.js';
import {
  LINK_SESSION_WORKFLOW,
  linkSessionStartOptions,
  linkSessionWorkflowId,
} from '../../../../../workflows/link-session/link-session.contract.js';
import {
  REAUTHENTICATION_WORKFLOW,
  reauthenticationStartOptions,
  reauthenticationWorkflowId,
} from '../../../../../workflows/reauthentication/reauthentication.contract.js';

/** `done`: the row shows what came of it. `waiting`: it goes on, and the row shows the step as it is. */
export type MessageOutcome =
  { kind: 'done' } | { kind: 'waiting' } | { kind: 'rejected'; reason: StepRejection };

/** The messages of Connect to the workflow of a session. Each throws `connect_error.unavailable` when Temporal is away. */
export interface SessionWorkflows {
  open(session: SessionRecord, requestId: string): Promise<MessageOutcome>;
  submit(session: SessionRecord, submission: StepSubmission): Promise<MessageOutcome>;
  exit(session: SessionRecord, requestId: string, reason: string): Promise<MessageOutcome>;
  /** What came of an earlier submission with this request id; null = there was none. */
  outcomeOf(session: SessionRecord, requestId: string): Promise<MessageOutcome | null>;
}

export interface SessionWorkflowsOptions {
  temporal: TemporalClient;
  softReplyMs: number;
  /** Longer than the soft reply: what is not answered by then answers with the step as it is. */
  deadlineMs: number;
  /** Fires when the process stops: whoever waits is answered at once. */
  stopping: AbortSignal;
}

const RETRY_AFTER_SECONDS = 2;

export class TemporalSessionWorkflows implements SessionWorkflows {
  constructor(private readonly options: SessionWorkflowsOptions) {}

  open(session: SessionRecord, requestId: string): Promise<MessageOutcome> {
    return this.send((client) =>
      client.workflow.executeUpdateWithStart(openSessionUpdate, {
        updateId: `open-${requestId}`,
        args: [],
        startWorkflowOperation: this.start(session),
      }),
    );
  }

  submit(session: SessionRecord, submission: StepSubmission): Promise<MessageOutcome> {
    // connect 5, rule 3: the id of the user's action is the id of the Update, so that twice is once.
    return this.send((client) =>
      client.workflow.executeUpdateWithStart(submitStepUpdate, {
        updateId: submission.requestId,
        args: [submission],
        startWorkflowOperation: this.start(session),
      }),
    );
  }

  exit(session: SessionRecord, requestId: string, reason: string): Promise<MessageOutcome> {
    return this.send((client) =>
      client.workflow.executeUpdateWithStart(exitUpdate, {
        updateId: `exit-${requestId}`,
        args: [{ reason }],
        startWorkflowOperation: this.start(session),
      }),
    );
  }

  async outcomeOf(session: SessionRecord, requestId: string): Promise<MessageOutcome | null> {
    try {
      return await this.send((client) =>
        client.workflow.getHandle(workflowIdOf(session)).getUpdateHandle(requestId).result(),
      );
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }

  /** Starts the workflow when it does not run: at the first opening, or because its history was lost. */
  private start({ sessionId, appId, environment, beganAs }: SessionRecord) {
    const start = { sessionId, appId, environment, softReplyMs: this.options.softReplyMs };
    if (beganAs === 'relink')
      return new WithStartWorkflowOperation(
        REAUTHENTICATION_WORKFLOW,
        reauthenticationStartOptions(start),
      );
    return new WithStartWorkflowOperation(LINK_SESSION_WORKFLOW, linkSessionStartOptions(start));
  }

  private async send(message: (client: Client) => Promise<unknown>): Promise<MessageOutcome> {
    const { temporal, deadlineMs, stopping } = this.options;
    // The client retries an unreachable server until the deadline of the call: a person should not wait for that.
    if (!(await temporal.isAvailable())) throw unavailable();
    const { client } = temporal;
    try {
      await client.withDeadline(Date.now() + deadlineMs, () =>
        client.withAbortSignal(stopping, () => message(client)),
      );
      return { kind: 'done' };
    } catch (error) {
      if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return { kind: 'waiting' };
      if (error instanceof WorkflowNotFoundError) throw error;
      const reason = rejectionOf(error);
      if (reason !== null) return { kind: 'rejected', reason };
      if (error instanceof WorkflowUpdateFailedError) throw error;
      throw unavailable();
    }
  }
}

function workflowIdOf({ sessionId, beganAs }: SessionRecord): string {
  return beganAs === 'relink'
    ? reauthenticationWorkflowId(sessionId)
    : linkSessionWorkflowId(sessionId);
}

function unavailable(): ApiError {
  return new ApiError('connect_error.unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function rejectionOf(error: unknown): StepRejection | null {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) return null;
  return STEP_REJECTIONS.find((known) => known === cause.type) ?? null;
}
