import { Registry } from 'prom-client';
import { createCounter, createHistogram } from '../../../platform/src/metrics/create-metric.js';
import { collectProcessMetrics } from '../../../platform/src/metrics/process-metrics.js';

interface RequestLabels {
  method: string;
  route: string;
  status: number;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts and durations of requests, by route pattern. */
export class RequestMetrics {
  readonly registry = new Registry();
  private readonly requests = createCounter(this.registry, 'http_requests_total');
  private readonly durations = createHistogram(this.registry, 'http_request_duration_seconds');

  constructor() {
    collectProcessMetrics(this.registry);
  }

  observe({ method, route, status }: RequestLabels, seconds: number): void {
    // The method is arbitrary text from the caller; only known ones become a label.
    const known = METHODS.has(method) ? method : 'other';
    this.requests.inc({ method: known, route, status });
    this.durations.observe({ method: known, route }, seconds);
  }
}
