import type { MetricGroups } from './metric-row.js';

/** Metrics of the results of the work: requests, sessions, refreshes, webhooks. */
export const WORK_METRICS = {
  'Do callers of the API get answers?': {
    http_requests_total: {
      type: 'counter',
      help: 'Requests by outcome; 499 = the caller disconnected',
      labels: ['method', 'route', 'status'],
      processes: ['api'],
    },
    http_request_duration_seconds: {
      type: 'histogram',
      help: 'Time from the first byte read to the last one sent',
      labels: ['method', 'route'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30],
      processes: ['api'],
    },
  },
  'Do users finish in Connect?': {
    tributary_sessions_ended_recently: {
      type: 'gauge',
      help: 'Sessions that ended in the last 15 minutes, by end: exchanged, expired, cancelled, superseded, exchange_window_over, link_deleted, user_erased. Every worker shows all of them',
      labels: ['mode', 'outcome'],
      processes: ['worker'],
    },
  },
  'Are links refreshed in time?': {
    tributary_links_due: {
      type: 'gauge',
      help: 'Links whose scheduled refresh is due and not requested yet; 1000 = that many or more',
      labels: [],
      processes: ['worker'],
    },
    tributary_links_due_late_seconds: {
      type: 'gauge',
      help: 'Delay of the most overdue of them; 0 = none is due',
      labels: [],
      processes: ['worker'],
    },
    tributary_refresh_requests_waiting: {
      type: 'gauge',
      help: 'Requested fetches that no run has claimed yet; 1000 = that many or more',
      labels: [],
      processes: ['worker'],
    },
    tributary_refresh_requests_oldest_seconds: {
      type: 'gauge',
      help: 'Wait of the oldest of them; 0 = none waits. Requests of links that are not connected yet do not count',
      labels: [],
      processes: ['worker'],
    },
    tributary_refreshes_total: {
      type: 'counter',
      help: 'Products that runs of refresh settled, by outcome: completed, or the cause of the final failure',
      labels: ['provider', 'product', 'outcome'],
      processes: ['worker'],
    },
    tributary_refreshes_failed_total: {
      type: 'counter',
      help: 'The failures among them by institution',
      labels: ['provider', 'institution'],
      processes: ['worker'],
    },
  },
  'Do webhooks reach their receivers?': {
    tributary_webhook_attempts_total: {
      type: 'counter',
      help: 'Attempts by outcome: delivered, failed (another follows), exhausted (it was the last), disabled (the receiver returned 410). The webhooks process makes the first, the worker the later ones',
      labels: ['format', 'attempt', 'outcome'],
      processes: ['worker', 'webhooks'],
    },
    tributary_webhooks_due: {
      type: 'gauge',
      help: 'Webhooks whose first attempt is due and not recorded yet; 1000 = that many or more',
      labels: [],
      processes: ['worker'],
    },
    tributary_webhooks_due_late_seconds: {
      type: 'gauge',
      help: 'Delay of the most overdue of them; 0 = none is due',
      labels: [],
      processes: ['worker'],
    },
    tributary_webhooks_oldest_undelivered_seconds: {
      type: 'gauge',
      help: 'Age of the oldest undelivered webhook; 0 = none',
      labels: [],
      processes: ['worker'],
    },
    tributary_webhook_endpoints_refusing: {
      type: 'gauge',
      help: 'Endpoints (scheme, host and port) that refused one webhook three times or more and are still sent to; 250 = that many or more',
      labels: [],
      processes: ['worker'],
    },
    tributary_webhook_retries_late: {
      type: 'gauge',
      help: 'Failed deliveries whose retry workflow has not been started although their next attempt is due; 1000 = that many or more',
      labels: [],
      processes: ['webhooks'],
    },
  },
} as const satisfies MetricGroups;
