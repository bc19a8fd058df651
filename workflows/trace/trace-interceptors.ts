import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { TRACE_HEADER } from '../../domain/api/trace-context.js';

/**
 * Passes the trace id of the latest start, signal or Update to everything the workflow starts. The
 * id comes from the history alone, and without it nothing changes: any history replays.
 */
export function interceptors(): WorkflowInterceptors {
  let trace: Headers = {};
  const note = ({ headers }: { headers: Headers }): void => {
    const given = headers[TRACE_HEADER];
    if (given !== undefined) trace = { [TRACE_HEADER]: given };
  };
  const traced = <Input extends { headers: Headers }>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, ...trace },
  });
  return {
    inbound: [
      {
        execute: (input, next) => {
          note(input);
          return next(input);
        },
        handleSignal: (input, next) => {
          note(input);
          return next(input);
        },
        handleUpdate: (input, next) => {
          note(input);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(traced(input)),
        scheduleLocalActivity: (input, next) => next(traced(input)),
        startChildWorkflowExecution: (input, next) => next(traced(input)),
        signalWorkflow: (input, next) => next(traced(input)),
        continueAsNew: (input, next) => next(traced(input)),
      },
    ],
  };
}
