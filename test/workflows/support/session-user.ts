import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, WorkflowUpdateFailedError, ApplicationFailure, type WorkflowHandle } from '@temporalio/client';
import {
  exitUpdate, LINK_SESSION_WORKFLOW, linkSessionStartOptions, linkSessionWorkflowId, openSessionUpdate, submitStepUpdate,
  type LinkSessionResult, type ShownStep, type StepSubmission,
} from '../../../workflows/link-session/link-session.contract.js';
import { FakeSession } from './fake-session.js';
import type { TestTemporal } from './temporal.js';

/** One user of Connect in a session for a new link, and the row of that session. */
export class SessionUser {
  readonly row = new FakeSession();
  readonly sessionId = `ses_${randomUUID().slice(0, 8)}`;

  constructor(private readonly temporal: TestTemporal, sessions: Map<string, FakeSession>, private readonly softReplyMs = 20_000) {
    sessions.set(this.sessionId, this.row);
  }

  get handle(): WorkflowHandle {
    return this.temporal.client.workflow.getHandle(linkSessionWorkflowId(this.sessionId));
  }

  open(): Promise<ShownStep> {
    return this.temporal.client.workflow.executeUpdateWithStart(openSessionUpdate, { args: [], startWorkflowOperation: this.start() });
  }

  submit(input: StepSubmission['input'], { seq = this.row.seq, requestId = randomUUID() as string } = {}): Promise<ShownStep> {
    return this.temporal.client.workflow.executeUpdateWithStart(submitStepUpdate, { updateId: requestId, args: [{ seq, requestId, input }], startWorkflowOperation: this.start() });
  }

  exit(): Promise<ShownStep> {
    return this.temporal.client.workflow.executeUpdateWithStart(exitUpdate, { args: [{ reason: 'user_closed' }], startWorkflowOperation: this.start() });
  }

  async result(): Promise<LinkSessionResult> {
    return await this.handle.result() as LinkSessionResult;
  }

  private start() {
    return new WithStartWorkflowOperation(LINK_SESSION_WORKFLOW, linkSessionStartOptions({ sessionId: this.sessionId, softReplyMs: this.softReplyMs, appId: 'demo', environment: 'sandbox' }));
  }
}

/** The type with which a message was refused; undefined when it was not. */
export async function rejectionOf(attempt: Promise<unknown>): Promise<string | null | undefined> {
  const error = await attempt.then(() => undefined, (reason: unknown) => reason);
  if (error === undefined) return undefined;
  if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  return error.cause.type;
}
