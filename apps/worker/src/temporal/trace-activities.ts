import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { isTraceId, TRACE_HEADER } from '../../../../domain/api/trace-context.js';
import { runTraced } from '../../../../prisma/base/database/work-origin.js';

/** Activities belong to the trace of the request that caused their workflow. */
export const traceActivities = (): ActivityInterceptors => ({
  inbound: {
    execute: (input, next) => runTraced(traceOf(input.headers[TRACE_HEADER]), () => next(input)),
  },
});

/** Headers are not encrypted: a stranger's Signal may have set this one to any value. */
function traceOf(header: Parameters<typeof defaultPayloadConverter.fromPayload>[0] | undefined) {
  if (header === undefined) return null;
  try {
    const value: unknown = defaultPayloadConverter.fromPayload(header);
    return isTraceId(value) ? value : null;
  } catch {
    return null;
  }
}
