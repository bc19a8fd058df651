import { WorkflowFailedError } from '@temporalio/client';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import {
  SANDBOX_CONTROL_WORKFLOW,
  sandboxControlStartOptions,
  type SandboxAction,
} from '../../../../workflows/sandbox-control/sandbox-control.contract.js';
import { callUntil } from '../../../platform/src/temporal/call-until.js';
import {
  unreachable,
  type TemporalClient,
} from '../../../platform/src/temporal/temporal-client.js';

/**
 * Runs commands that must reach a sandbox provider. Throws `api_error.unavailable` when Temporal or the
 * provider is unreachable.
 */
export interface SandboxWorkflows {
  /** `going_on`: not done within the time limit; the work continues. */
  run(requestId: string, action: SandboxAction, withinMs: number): Promise<'done' | 'going_on'>;
}

export interface SandboxWorkflowsOptions {
  temporal: TemporalClient;
  /** Aborts when the process stops. */
  stopping: AbortSignal;
}

const START_WITHIN_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

export class TemporalSandboxWorkflows implements SandboxWorkflows {
  constructor(private readonly options: SandboxWorkflowsOptions) {}

  async run(
    requestId: string,
    action: SandboxAction,
    withinMs: number,
  ): Promise<'done' | 'going_on'> {
    const { temporal, stopping } = this.options;
    if (!(await temporal.isAvailable())) throw unavailable(unreachable(temporal));
    const { client } = temporal;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), withinMs);
    try {
      const handle = await client.withDeadline(Date.now() + START_WITHIN_MS, () =>
        client.workflow.start(
          SANDBOX_CONTROL_WORKFLOW,
          sandboxControlStartOptions({ requestId, action }),
        ),
      );
      await callUntil(client, [timeout.signal, stopping], () => handle.result());
      return 'done';
    } catch (error) {
      // A failed workflow does not continue, for example because a provider is permanently
      // unavailable.
      if (timeout.signal.aborted && !(error instanceof WorkflowFailedError)) return 'going_on';
      throw unavailable(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

export function unavailable(cause: unknown): ApiError {
  return new ApiError('api_error.unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
