import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { currentTraceId } from '../../../../prisma/base/database/work-origin.js';
import { TRACE_HEADER } from '../../../../domain/api/trace-context.js';

/**
 * Sends the trace id of the current work with starts, signals and Updates. The SDK passes headers to
 * no codec, so it is readable in the history: ids only.
 */
export function traceClient(): WorkflowClientInterceptor {
  return {
    start: (input, next) => next({ ...input, headers: traced(input.headers) }),
    signal: (input, next) => next({ ...input, headers: traced(input.headers) }),
    signalWithStart: (input, next) => next({ ...input, headers: traced(input.headers) }),
    startUpdate: (input, next) => next({ ...input, headers: traced(input.headers) }),
    startUpdateWithStart: (input, next) =>
      next({
        ...input,
        workflowStartHeaders: traced(input.workflowStartHeaders),
        updateHeaders: traced(input.updateHeaders),
      }),
  };
}

function traced(headers: Headers): Headers {
  const traceId = currentTraceId();
  return traceId === null
    ? headers
    : { ...headers, [TRACE_HEADER]: defaultPayloadConverter.toPayload(traceId) };
}
