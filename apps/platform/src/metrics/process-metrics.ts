import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { createCounter, createGauge } from './create-metric.js';
import { buildInfo } from '../build/build-info.js';

/** Figures of a histogram that prom-client takes by waking the process a hundred times a second, also when it idles. */
const BY_WAKING = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (figure) => `nodejs_eventloop_lag_${figure}_seconds`,
);
const NEVER_MS = 24 * 3_600_000;

/**
 * What every process tells of itself: its version, processor time, memory, garbage collection, handles. How busy its event
 * loop is says a counter instead of a histogram: `rate(nodejs_eventloop_active_seconds_total[1m])` is 1 when it is never idle.
 */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const name of BY_WAKING) registry.removeSingleMetric(name);
  createCounter(registry, 'nodejs_eventloop_active_seconds_total', function () {
    this.reset();
    this.inc(performance.eventLoopUtilization().active / 1_000);
  });
  createGauge(registry, 'tributary_build_info').set({ ...buildInfo() }, 1);
}
