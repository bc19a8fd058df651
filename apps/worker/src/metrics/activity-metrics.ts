import { CancelledFailure, type Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor, ActivityInterceptors } from '@temporalio/worker';
import type { Registry } from 'prom-client';
import { createCounter, createHistogram } from '../../../platform/src/metrics/create-metric.js';

/** Counts every activity by outcome, and times it. */
export function createActivityMetrics(
  registry: Registry,
): (context: Context) => ActivityInterceptors {
  const duration = createHistogram(registry, 'tributary_activity_duration_seconds');
  const activities = createCounter(registry, 'tributary_activities_total');
  return ({ info: { activityType: activity } }) => {
    const inbound: ActivityInboundCallsInterceptor = {
      async execute(input, next) {
        const stop = duration.startTimer({ activity });
        let outcome = 'completed';
        try {
          return await next(input);
        } catch (error) {
          outcome = error instanceof CancelledFailure ? 'cancelled' : 'failed';
          throw error;
        } finally {
          stop();
          activities.inc({ activity, outcome });
        }
      },
    };
    return { inbound };
  };
}
