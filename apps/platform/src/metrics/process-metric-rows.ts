import type { LabelName } from './label-table.js';
import { EVERY_PROCESS, type MetricGroups, type MetricRow } from './metric-row.js';

function builtIn<const L extends readonly LabelName[]>(
  type: MetricRow['type'],
  help: string,
  labels: L,
) {
  return { type, help, labels, processes: EVERY_PROCESS, builtIn: true } as const;
}

/** Metrics that every process has. */
export const PROCESS_METRICS = {
  'Which build runs, and is it ready?': {
    tributary_build_info: {
      type: 'gauge',
      help: 'Always 1; its labels name the running build',
      labels: ['version', 'build'],
      processes: EVERY_PROCESS,
    },
    tributary_part_healthy: {
      type: 'gauge',
      help: '1 while a part that the process needs responds, as in /health/ready; 0 while it does not',
      labels: ['part'],
      processes: EVERY_PROCESS,
    },
    process_start_time_seconds: builtIn('gauge', 'Start time of the process, since 1970', []),
    nodejs_version_info: builtIn('gauge', 'Always 1; the version of Node', [
      'version',
      'major',
      'minor',
      'patch',
    ]),
  },
  'Is the database the bottleneck?': {
    tributary_pool_connections: {
      type: 'gauge',
      help: 'Connections of a pool to PostgreSQL by state: used or idle',
      labels: ['pool', 'state'],
      processes: EVERY_PROCESS,
    },
    tributary_pool_connections_max: {
      type: 'gauge',
      help: 'Maximum connections of a pool',
      labels: ['pool'],
      processes: EVERY_PROCESS,
    },
    tributary_pool_waiting: {
      type: 'gauge',
      help: 'Pieces of work that wait for a connection of a pool',
      labels: ['pool'],
      processes: EVERY_PROCESS,
    },
    tributary_gauge_reading_seconds: {
      type: 'gauge',
      help: 'Duration of the last reading of gauges from the database',
      labels: ['reading'],
      processes: ['worker', 'webhooks'],
    },
    tributary_gauge_readings_failed_total: {
      type: 'counter',
      help: 'Readings of gauges from the database that failed: until the next success these gauges are missing',
      labels: ['reading'],
      processes: ['worker', 'webhooks'],
    },
  },
  'Does a process need more processor time or memory?': {
    nodejs_eventloop_active_seconds_total: {
      type: 'counter',
      help: 'Time that the event loop was not idle; its rate is 1 when the process is saturated',
      labels: [],
      processes: EVERY_PROCESS,
    },
    nodejs_eventloop_lag_seconds: builtIn('gauge', 'Delay of the event loop at the scrape', []),
    process_cpu_user_seconds_total: builtIn('counter', 'Processor time in the program', []),
    process_cpu_system_seconds_total: builtIn('counter', 'Processor time in the kernel', []),
    process_cpu_seconds_total: builtIn('counter', 'Processor time', []),
    process_resident_memory_bytes: builtIn('gauge', 'Resident memory', []),
    process_virtual_memory_bytes: builtIn('gauge', 'Virtual memory', []),
    process_heap_bytes: builtIn('gauge', 'Data segment of the process', []),
    process_open_fds: builtIn('gauge', 'Open files', []),
    process_max_fds: builtIn('gauge', 'Maximum open files', []),
    nodejs_active_resources: builtIn('gauge', 'Resources that keep the event loop alive, by type', [
      'type',
    ]),
    nodejs_active_resources_total: builtIn('gauge', 'Resources that keep the event loop alive', []),
    nodejs_active_handles: builtIn('gauge', 'Active handles by type', ['type']),
    nodejs_active_handles_total: builtIn('gauge', 'Active handles', []),
    nodejs_active_requests: builtIn('gauge', 'Active requests of libuv by type', ['type']),
    nodejs_active_requests_total: builtIn('gauge', 'Active requests of libuv', []),
    nodejs_heap_size_total_bytes: builtIn('gauge', 'Heap of V8', []),
    nodejs_heap_size_used_bytes: builtIn('gauge', 'Heap of V8 in use', []),
    nodejs_external_memory_bytes: builtIn('gauge', 'Memory outside the heap of V8', []),
    nodejs_heap_space_size_total_bytes: builtIn('gauge', 'Heap of V8 by space', ['space']),
    nodejs_heap_space_size_used_bytes: builtIn('gauge', 'The same in use', ['space']),
    nodejs_heap_space_size_available_bytes: builtIn('gauge', 'The same available', ['space']),
    nodejs_gc_duration_seconds: builtIn('histogram', 'Time of garbage collections by kind', [
      'kind',
    ]),
  },
} as const satisfies MetricGroups;
