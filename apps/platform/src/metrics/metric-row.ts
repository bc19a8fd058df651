import type { LabelName } from './label-table.js';

/** The processes that have metrics. */
export type MetricProcess = 'api' | 'worker' | 'webhooks';

export interface MetricRow {
  type: 'counter' | 'gauge' | 'histogram';
  /** Description, with the unit. */
  help: string;
  labels: readonly LabelName[];
  processes: readonly MetricProcess[];
  /** Upper bounds of a histogram, in its unit. */
  buckets?: readonly number[];
  /** prom-client creates it; our code only enables it. */
  builtIn?: true;
}

/** Metrics by the question of an operator that they answer. */
export type MetricGroups = Readonly<Record<string, Readonly<Record<string, MetricRow>>>>;

export const EVERY_PROCESS = [
  'api',
  'worker',
  'webhooks',
] as const satisfies readonly MetricProcess[];
