import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ObserveCall } from '../../../../activities/observed-providers.js';
import type { WebhookOutcome } from '../../../../activities/provider-webhooks/provider-webhook-activities.js';
import type { QuotaRepository } from '../../../../prisma/quotas/quota.repository.js';

/** Counts and times the calls of adapters. */
export function createProviderMetrics(registry: Registry): ObserveCall {
  const calls = new Counter({
    name: 'tributary_provider_calls_total',
    help: 'Calls of providers by operation and outcome: ok, a cause of failure, aborted or error',
    labelNames: ['provider', 'operation', 'outcome'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'tributary_provider_call_seconds',
    help: 'Time a call of a provider took, by operation',
    labelNames: ['provider', 'operation'],
    buckets: [0.05, 0.2, 0.5, 1, 2, 5, 15, 60, 150],
    registers: [registry],
  });
  return ({ provider, operation, outcome, seconds }) => {
    calls.inc({ provider, operation, outcome });
    duration.observe({ provider, operation }, seconds);
  };
}

/** Counts webhooks of providers by what became of them. */
export function createProviderWebhookMetrics(
  registry: Registry,
): (outcome: WebhookOutcome) => void {
  const webhooks = new Counter({
    name: 'tributary_provider_webhooks_total',
    help: 'Webhooks of providers by outcome: applied, or why they were refused',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return (outcome) => webhooks.inc({ outcome });
}

/** Shows how much is left of quotas, read when the metrics are. */
export function collectQuotaMetrics(
  registry: Registry,
  quotas: Pick<QuotaRepository, 'usage'>,
): void {
  const left = new Gauge({
    name: 'tributary_provider_quota_left',
    help: 'The fewest calls that a quota still allows to one of its permissions or accounts',
    labelNames: ['provider', 'quota'],
    registers: [registry],
    async collect() {
      // Without the database the other metrics are still shown.
      const usage = await quotas.usage().catch(() => []);
      left.reset();
      for (const { provider, quota, leastLeft } of usage) left.set({ provider, quota }, leastLeft);
    },
  });
}
