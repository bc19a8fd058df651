import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { createCounter, createGauge } from './create-metric.js';
import { buildInfo } from '../build/build-info.js';

/** Values of a histogram for which prom-client wakes the process a hundred times a second, even when idle. */
const BY_WAKING = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (figure) => `nodejs_eventloop_lag_${figure}_seconds`,
);
const NEVER_MS = 24 * 3_600_000;

/**
 * The metrics of every process: version, processor time, memory, garbage collection, handles. The load of the event
 * loop is a counter instead of a histogram: `rate(nodejs_eventloop_active_seconds_total[1m])` is 1 when it is never idle.
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
