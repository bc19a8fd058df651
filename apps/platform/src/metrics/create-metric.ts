import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { MetricRow } from './metric-row.js';
import { METRICS, type LabelOf, type MetricName } from './metric-table.js';

type Collect<N extends MetricName<'gauge' | 'counter'>> = (
  this: N extends MetricName<'gauge'> ? Gauge<LabelOf<N>> : Counter<LabelOf<N>>,
) => void | Promise<void>;

/** Creates the counter of the table. @param collect called before each scrape */
export function createCounter<N extends MetricName<'counter'>>(
  registry: Registry,
  name: N,
  collect?: Collect<N>,
): Counter<LabelOf<N>> {
  return new Counter({ ...optionsOf(name, registry), ...(collect && { collect }) } as never);
}

/** Creates the gauge of the table. @param collect called before each scrape */
export function createGauge<N extends MetricName<'gauge'>>(
  registry: Registry,
  name: N,
  collect?: Collect<N>,
): Gauge<LabelOf<N>> {
  return new Gauge({ ...optionsOf(name, registry), ...(collect && { collect }) } as never);
}

/** Creates the histogram of the table. */
export function createHistogram<N extends MetricName<'histogram'>>(
  registry: Registry,
  name: N,
): Histogram<LabelOf<N>> {
  return new Histogram(optionsOf(name, registry) as never);
}

function optionsOf(name: keyof typeof METRICS, registry: Registry) {
  const { help, labels, buckets }: MetricRow = METRICS[name];
  const registers = [registry];
  return { name, help, labelNames: labels, registers, ...(buckets && { buckets }) };
}
