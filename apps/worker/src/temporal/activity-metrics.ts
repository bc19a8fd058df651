import { CancelledFailure, type Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor, ActivityInterceptors } from '@temporalio/worker';
import { Histogram, type Registry } from 'prom-client';

/** Counts and times every activity by what became of it. */
export function createActivityMetrics(
  registry: Registry,
): (context: Context) => ActivityInterceptors {
  const duration = new Histogram({
    name: 'tributary_activity_duration_seconds',
    help: 'Time an activity took, by type and outcome',
    labelNames: ['activity', 'outcome'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
    registers: [registry],
  });
  return ({ info }) => {
    const inbound: ActivityInboundCallsInterceptor = {
      async execute(input, next) {
        const stop = duration.startTimer({ activity: info.activityType });
        try {
          const result: unknown = await next(input);
          stop({ outcome: 'completed' });
          return result;
        } catch (error) {
          stop({ outcome: error instanceof CancelledFailure ? 'cancelled' : 'failed' });
          throw error;
        }
      },
    };
    return { inbound };
  };
}
