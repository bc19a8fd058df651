import {
  ApplicationFailure,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import { callUntil } from '../../../../platform/src/temporal/call-until.js';
import { PayloadRefused } from '../../../../platform/src/temporal/payload-place.js';
import {
  unreachable,
  type TemporalClient,
} from '../../../../platform/src/temporal/temporal-client.js';
import type { SessionRecord } from '../../../../../prisma/links/sessions/session-record.js';
import {
  exitUpdate,
  openSessionUpdate,
  STEP_REJECTIONS,
  submitStepUpdate,
  type StepRejection,
  type StepSubmission,
  LINK_SESSION_WORKFLOW,
  linkSessionStartOptions,
  linkSessionWorkflowId,
  REAUTHENTICATION_WORKFLOW,
  reauthenticationStartOptions,
  reauthenticationWorkflowId,
} from '../../../../../workflows/session/session.contract.js';

/**
 * `done`: the row shows the result. `waiting`: work continues, and the row shows the current step.
 */
export type MessageOutcome =
  | { kind: 'done' }
  | { kind: 'waiting' }
  | { kind: 'rejected'; reason: StepRejection };

/**
 * The messages Connect sends to session workflows. Each throws `connect_error.unavailable` when
 * Temporal is unreachable.
 */
export interface SessionWorkflows {
  open(session: SessionRecord, requestId: string): Promise<MessageOutcome>;
  submit(session: SessionRecord, submission: StepSubmission): Promise<MessageOutcome>;
  exit(session: SessionRecord, requestId: string, reason: string): Promise<MessageOutcome>;
  /** The outcome of an earlier submission with this request id; null = there was none. */
  outcomeOf(session: SessionRecord, requestId: string): Promise<MessageOutcome | null>;
}

export interface SessionWorkflowsOptions {
  temporal: TemporalClient;
  softReplyMs: number;
  /** Longer than the soft reply. After it, a call returns the current step. */
  deadlineMs: number;
  /** Aborts when the process stops: waiting calls then return immediately. */
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
    // connect 5, rule 3: the request id is also the Update id, so a repeated action runs only once.
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

  /**
   * Starts the workflow if it is not running: on the first opening, or after its history was lost.
   */
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
    // The client would retry an unreachable server until the call's deadline, and a user should not
    // wait for that.
    if (!(await temporal.isAvailable())) throw unavailable(unreachable(temporal));
    const { client } = temporal;
    try {
      await client.withDeadline(Date.now() + deadlineMs, () =>
        callUntil(client, [stopping], () => message(client)),
      );
      return { kind: 'done' };
    } catch (error) {
      if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return { kind: 'waiting' };
      // Another process handled the message: only the row has its outcome.
      if (isRefused(error)) return { kind: 'waiting' };
      if (error instanceof WorkflowNotFoundError) throw error;
      const reason = rejectionOf(error);
      if (reason !== null) return { kind: 'rejected', reason };
      if (error instanceof WorkflowUpdateFailedError) throw error;
      throw unavailable(error);
    }
  }
}

function isRefused(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof PayloadRefused) return true;
  return false;
}

function workflowIdOf({ sessionId, beganAs }: SessionRecord): string {
  return beganAs === 'relink'
    ? reauthenticationWorkflowId(sessionId)
    : linkSessionWorkflowId(sessionId);
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('connect_error.unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

function rejectionOf(error: unknown): StepRejection | null {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) return null;
  return STEP_REJECTIONS.find((known) => known === cause.type) ?? null;
}
