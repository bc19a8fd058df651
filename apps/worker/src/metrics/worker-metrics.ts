import { Registry } from 'prom-client';
import type { Context } from '../../../../prisma/base/context.js';
import { CatalogRepository } from '../../../../prisma/sources/catalog/catalog.repository.js';
import { GaugeRepository } from '../../../../prisma/operations/gauges/gauge.repository.js';
import { QuotaRepository } from '../../../../prisma/sources/quotas/quota.repository.js';
import { SimplefinTokenRepository } from '../../../../prisma/views/simplefin/simplefin-token.repository.js';
import { AppUseRepository } from '../../../../prisma/tenants/usage/app-use.repository.js';
import { createReadings } from '../../../platform/src/metrics/cached-reading.js';
import { WORKFLOWS } from '../../../../workflows/workflow-list.contract.js';
import { createCounter, createGauge } from '../../../platform/src/metrics/create-metric.js';
import { collectPoolMetrics } from '../../../platform/src/metrics/pool-metrics.js';
import { collectProcessMetrics } from '../../../platform/src/metrics/process-metrics.js';
import { createWebhookMetrics } from '../../../webhooks/src/sending/webhook-metrics.js';
import { createActivityMetrics } from './activity-metrics.js';
import { collectAppUseMetrics } from './app-use-metrics.js';
import { collectCatalogMetrics } from './catalog-metrics.js';
import { createConfigurationMetrics } from './configuration-metrics.js';
import {
  collectQuotaMetrics,
  createProviderMetrics,
  createProviderWebhookMetrics,
  createUnreadableMetrics,
} from './provider-metrics.js';
import { createRefreshMetrics } from './refresh-metrics.js';
import { collectSimplefinMetrics } from './simplefin-metrics.js';
import { collectWorkMetrics } from './work-metrics.js';

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;
/** Reports of the worker's parts. */
export type WorkerObservers = WorkerMetrics['observe'];

/** For gauges that scan tables which grow with links or institutions. */
const SELDOM_MS = 5 * 60_000;
/** The uses of a bound that are metrics, nearest to it first. */
const APPS_SHOWN = 50;

/** Every metric of the worker. */
export function createWorkerMetrics(ctx: Context) {
  const registry = new Registry();
  collectProcessMetrics(registry);
  collectPoolMetrics(registry, ctx.database);
  const reading = createReadings(registry);
  const gauges = new GaugeRepository(ctx);
  const quotas = new QuotaRepository(ctx);
  const catalog = new CatalogRepository(ctx);
  const appUse = new AppUseRepository(ctx);
  const simplefinTokens = new SimplefinTokenRepository(ctx);
  collectWorkMetrics(
    registry,
    reading('work', () => gauges.read()),
  );
  collectQuotaMetrics(
    registry,
    reading('quotas', () => quotas.usage(), SELDOM_MS),
  );
  collectCatalogMetrics(
    registry,
    reading('catalog', () => catalog.counts(), SELDOM_MS),
  );
  collectAppUseMetrics(
    registry,
    reading('app_use', () => appUse.nearest(APPS_SHOWN)),
  );
  collectSimplefinMetrics(
    registry,
    reading('simplefin_tokens', () => simplefinTokens.busyApps()),
  );
  return {
    registry,
    activities: createActivityMetrics(registry),
    onConfigurations: createConfigurationMetrics(registry),
    onSwept: createSweepMetrics(registry),
    onRunEnded: createEndedRunMetrics(registry),
    observe: {
      call: createProviderMetrics(registry),
      unreadable: createUnreadableMetrics(registry),
      providerWebhook: createProviderWebhookMetrics(registry),
      refresh: createRefreshMetrics(registry),
      attempt: createWebhookMetrics(registry),
    },
  };
}

function createSweepMetrics(registry: Registry): (task: string, rows: number) => void {
  const swept = createCounter(registry, 'tributary_swept_rows_total');
  const succeeded = createGauge(registry, 'tributary_sweep_succeeded_timestamp_seconds');
  return (task, rows) => {
    swept.inc({ task }, rows);
    succeeded.set({ task }, Date.now() / 1_000);
  };
}

function createEndedRunMetrics(registry: Registry): (workflow: string) => void {
  const ended = createCounter(registry, 'tributary_stalled_runs_ended_total');
  // For alerts, a counter that begins with its first value has not increased.
  for (const { type: workflow } of WORKFLOWS) ended.inc({ workflow }, 0);
  return (workflow) => ended.inc({ workflow });
}
