import type { Registry } from 'prom-client';
import type { ObserveAttempt } from './webhook-attempts.js';
import { createCounter } from '../../../platform/src/metrics/create-metric.js';

/** Counts attempts of webhooks by outcome. */
export function createWebhookMetrics(registry: Registry): ObserveAttempt {
  const attempts = createCounter(registry, 'tributary_webhook_attempts_total');
  return ({ format, attempt, status }) =>
    attempts.inc({
      format,
      attempt: attempt === 1 ? 'first' : 'later',
      outcome: status === 'pending' ? 'failed' : status,
    });
}
