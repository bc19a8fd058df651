import type { MetricProcess, MetricRow } from './metric-row.js';
import { PROCESS_METRICS } from './process-metric-rows.js';
import { UPKEEP_METRICS } from './upkeep-metric-rows.js';
import { WORK_METRICS } from './work-metric-rows.js';

/** Every metric, by the question it answers. docs/operating/metrics.md and its test are generated from it. */
export const METRIC_GROUPS = { ...WORK_METRICS, ...UPKEEP_METRICS, ...PROCESS_METRICS } as const;

type Groups = typeof METRIC_GROUPS;
type Merged<G> = (G extends unknown ? (group: G) => void : never) extends (merged: infer M) => void
  ? M
  : never;

/** Every metric by name. */
export type MetricTable = Merged<Groups[keyof Groups]>;

export const METRICS = Object.assign({}, ...Object.values(METRIC_GROUPS)) as MetricTable;

/** The metrics of a type that our code creates. */
export type MetricName<T extends MetricRow['type']> = {
  [N in keyof MetricTable]: MetricTable[N] extends { type: T }
    ? MetricTable[N] extends { builtIn: true }
      ? never
      : N
    : never;
}[keyof MetricTable];

export type LabelOf<N extends keyof MetricTable> = MetricTable[N]['labels'][number];

/** The names of a process, sorted. */
export function metricsOf(process: MetricProcess): string[] {
  return Object.entries<MetricRow>(METRICS)
    .filter(([, { processes }]) => processes.includes(process))
    .map(([name]) => name)
    .sort();
}
