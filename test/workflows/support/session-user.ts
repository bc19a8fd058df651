import { randomUUID } from 'node:crypto';
import {
  WithStartWorkflowOperation,
  WorkflowUpdateFailedError,
  ApplicationFailure,
  type WorkflowHandle,
} from '@temporalio/client';
import {
  exitUpdate,
  openSessionUpdate,
  submitStepUpdate,
  type ShownStep,
  type StepSubmission,
  LINK_SESSION_WORKFLOW,
  linkSessionStartOptions,
  linkSessionWorkflowId,
  REAUTHENTICATION_WORKFLOW,
  reauthenticationStartOptions,
  reauthenticationWorkflowId,
} from '../../../workflows/session/session.contract.js';
import { FakeSession } from './fake-session.js';
import type { TestTemporal } from '../../support/services/test-temporal.js';

/**
 * For a user who is to see the wait: steps before it appear within this time, on a slow machine
 * too.
 */
export const SOFT_REPLY_MS = 5_000;

/**
 * One Connect user, in a session for a new link or an existing one, and the row of that session.
 */
export class SessionUser {
  readonly row = new FakeSession();
  readonly sessionId = `ses_${randomUUID().slice(0, 8)}`;

  constructor(
    private readonly temporal: TestTemporal,
    sessions: Map<string, FakeSession>,
    private readonly softReplyMs = 20_000,
    private readonly mode: 'link' | 'relink' = 'link',
  ) {
    sessions.set(this.sessionId, this.row);
    // A relink starts at the bank of its link.
    if (mode === 'relink') this.row.presetInstitutionId = this.row.institutionId = 'fake-bank';
  }

  get handle(): WorkflowHandle {
    return this.temporal.client.workflow.getHandle(
      this.mode === 'link'
        ? linkSessionWorkflowId(this.sessionId)
        : reauthenticationWorkflowId(this.sessionId),
    );
  }

  open(): Promise<ShownStep> {
    return this.temporal.client.workflow.executeUpdateWithStart(openSessionUpdate, {
      args: [],
      startWorkflowOperation: this.start(),
    });
  }

  submit(
    input: StepSubmission['input'],
    { seq = this.row.seq, requestId = randomUUID() as string } = {},
  ): Promise<ShownStep> {
    return this.temporal.client.workflow.executeUpdateWithStart(submitStepUpdate, {
      updateId: requestId,
      args: [{ seq, requestId, input }],
      startWorkflowOperation: this.start(),
    });
  }

  exit(): Promise<ShownStep> {
    return this.temporal.client.workflow.executeUpdateWithStart(exitUpdate, {
      args: [{ reason: 'user_closed' }],
      startWorkflowOperation: this.start(),
    });
  }

  async result(): Promise<{ outcome: string }> {
    return (await this.handle.result()) as { outcome: string };
  }

  private start() {
    const start = {
      sessionId: this.sessionId,
      softReplyMs: this.softReplyMs,
      appId: 'demo',
      environment: 'sandbox',
    } as const;
    if (this.mode === 'relink')
      return new WithStartWorkflowOperation(
        REAUTHENTICATION_WORKFLOW,
        reauthenticationStartOptions(start),
      );
    return new WithStartWorkflowOperation(LINK_SESSION_WORKFLOW, linkSessionStartOptions(start));
  }
}

/** The type with which a message was refused; undefined when it was not. */
export async function rejectionOf(attempt: Promise<unknown>): Promise<string | null | undefined> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return undefined;
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure))
    throw error;
  return error.cause.type;
}
