import type { MetricGroups } from './metric-row.js';

/** Metrics of the parts that drive the work: Temporal, sources, sweeps, keys. */
export const UPKEEP_METRICS = {
  'Does Temporal take up work?': {
    tributary_outbox_commands: {
      type: 'gauge',
      help: 'Commands that wait to be performed with Temporal; 1000 = that many or more',
      labels: [],
      processes: ['worker'],
    },
    tributary_outbox_oldest_seconds: {
      type: 'gauge',
      help: 'Age of the oldest of them; 0 = none. Commands of one tick are spread over AGGREGATION_TICK',
      labels: [],
      processes: ['worker'],
    },
    tributary_open_work: {
      type: 'gauge',
      help: 'Work in progress, each with a workflow: sessions that users are in, fetches, retried webhooks, permissions to end, users to erase; 1000 = that many or more',
      labels: ['kind'],
      processes: ['worker'],
    },
    tributary_activity_duration_seconds: {
      type: 'histogram',
      help: 'Time an activity took, whatever its outcome',
      labels: ['activity'],
      buckets: [0.02, 0.1, 0.5, 2, 10, 60],
      processes: ['worker'],
    },
    tributary_activities_total: {
      type: 'counter',
      help: 'Activities by outcome: completed, failed, cancelled',
      labels: ['activity', 'outcome'],
      processes: ['worker'],
    },
  },
  'Do sources answer?': {
    tributary_provider_calls_total: {
      type: 'counter',
      help: 'Calls of providers by operation and outcome: ok, a cause of failure, aborted or error',
      labels: ['provider', 'operation', 'outcome'],
      processes: ['worker'],
    },
    tributary_provider_call_seconds: {
      type: 'histogram',
      help: 'Time a call of a provider took, by operation',
      labels: ['provider', 'operation'],
      buckets: [0.2, 1, 5, 15, 60],
      processes: ['worker'],
    },
    tributary_provider_unreadable_total: {
      type: 'counter',
      help: 'Data that adapters could not read, by scope: a value that is now null, a row or an account that lacks data, an institution that is not listed, or a whole answer',
      labels: ['adapter', 'scope', 'resource', 'field', 'reason'],
      processes: ['worker'],
    },
    tributary_provider_webhooks_total: {
      type: 'counter',
      help: 'Webhooks of providers by outcome: applied, or why they were refused',
      labels: ['outcome'],
      processes: ['worker'],
    },
    tributary_provider_quota_left: {
      type: 'gauge',
      help: 'The fewest calls that a quota still allows to one of its permissions or accounts',
      labels: ['provider', 'quota'],
      processes: ['worker'],
    },
    tributary_provider_broken: {
      type: 'gauge',
      help: '1 while the source refuses the keys of a configuration, or they cannot be opened',
      labels: ['provider'],
      processes: ['worker'],
    },
    tributary_provider_credentials_end_seconds: {
      type: 'gauge',
      help: 'Expiry of the certificate or key of a configuration, in seconds since 1970',
      labels: ['provider'],
      processes: ['worker'],
    },
    tributary_catalog_entries: {
      type: 'gauge',
      help: 'Institutions by provider: listed, gone from its list, and doubtful among the listed',
      labels: ['provider', 'state'],
      processes: ['worker'],
    },
  },
  'Are overdue rows swept?': {
    tributary_swept_rows_total: {
      type: 'counter',
      help: 'Overdue rows whose work was restarted',
      labels: ['task'],
      processes: ['worker'],
    },
    tributary_stalled_runs_ended_total: {
      type: 'counter',
      help: 'Runs of workflows that made no progress and were ended, so that their rows start them again',
      labels: ['workflow'],
      processes: ['worker'],
    },
    tributary_sweep_succeeded_timestamp_seconds: {
      type: 'gauge',
      help: 'Time at which a task of the sweeper last succeeded in this worker, in seconds since 1970',
      labels: ['task'],
      processes: ['worker'],
    },
  },
  'Does an app fill the database?': {
    tributary_app_use_ratio: {
      type: 'gauge',
      help: 'Share of a bound that an app uses, of the 50 highest; above 1, data of banks exceeded it. `rows` fills the disk',
      labels: ['app', 'environment', 'bound'],
      processes: ['worker'],
    },
  },
  'Does an app share unusually much?': {
    tributary_simplefin_tokens_last_hour: {
      type: 'gauge',
      help: 'SimpleFIN tokens that an app created in the last hour, of the 10 apps with the most, from 20 tokens on',
      labels: ['app', 'environment'],
      processes: ['worker'],
    },
  },
  'Are keys changed in time?': {
    tributary_signing_key_since_timestamp_seconds: {
      type: 'gauge',
      help: 'Time from which the current signing key of a set signs, in seconds since 1970',
      labels: ['key_set'],
      processes: ['worker'],
    },
    tributary_master_key_since_timestamp_seconds: {
      type: 'gauge',
      help: 'Time of the first use here of the master key that seals new values, in seconds since 1970',
      labels: [],
      processes: ['worker'],
    },
    tributary_master_key_oldest_timestamp_seconds: {
      type: 'gauge',
      help: 'Time of the first use here of the oldest master key that stored values still need, in seconds since 1970',
      labels: [],
      processes: ['worker'],
    },
  },
} as const satisfies MetricGroups;
