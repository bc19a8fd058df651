import type { Registry } from 'prom-client';
import type { ObserveCall } from '../../../../activities/observed-providers.js';
import type { ObserveFaults } from '../../../../activities/source-faults.js';
import type { WebhookOutcome } from '../../../../activities/provider-webhooks/provider-webhook-activities.js';
import type { QuotaRepository } from '../../../../prisma/sources/quotas/quota.repository.js';
import { boundedLabel } from '../../../platform/src/metrics/bounded-label.js';
import type { Reading } from '../../../platform/src/metrics/cached-reading.js';
import {
  createCounter,
  createGauge,
  createHistogram,
} from '../../../platform/src/metrics/create-metric.js';

/** Counts and times the calls of adapters. */
export function createProviderMetrics(registry: Registry): ObserveCall {
  const calls = createCounter(registry, 'tributary_provider_calls_total');
  const duration = createHistogram(registry, 'tributary_provider_call_seconds');
  return ({ provider, operation, outcome, seconds }) => {
    calls.inc({ provider, operation, outcome });
    duration.observe({ provider, operation }, seconds);
  };
}

/** Adapters have fewer; beyond these the label is `other`. */
const [MAX_RESOURCES, MAX_FIELDS] = [19, 99];

/** Counts unreadable values of sources. */
export function createUnreadableMetrics(registry: Registry): ObserveFaults {
  const unreadable = createCounter(registry, 'tributary_provider_unreadable_total');
  const [resourceOf, fieldOf] = [boundedLabel(MAX_RESOURCES), boundedLabel(MAX_FIELDS)];
  return ({ adapter, faults }) => {
    for (const { scope, resource, field, reason, count } of faults)
      unreadable.inc(
        { adapter, scope, resource: resourceOf(resource), field: fieldOf(field), reason },
        count,
      );
  };
}

/** Counts webhooks of providers by outcome. */
export function createProviderWebhookMetrics(
  registry: Registry,
): (outcome: WebhookOutcome) => void {
  const webhooks = createCounter(registry, 'tributary_provider_webhooks_total');
  return (outcome) => webhooks.inc({ outcome });
}

type QuotaUsage = Awaited<ReturnType<QuotaRepository['usage']>>;

/** Shows the remaining calls of quotas. */
export function collectQuotaMetrics(registry: Registry, read: Reading<QuotaUsage>): void {
  createGauge(registry, 'tributary_provider_quota_left', async function () {
    const usage = await read();
    this.reset();
    for (const { provider, quota, leastLeft } of usage ?? [])
      this.set({ provider, quota }, leastLeft);
  });
}
