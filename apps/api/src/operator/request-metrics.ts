import { Counter, Histogram, Registry } from 'prom-client';
import { collectProcessMetrics } from '../../../platform/src/process/process-metrics.js';

interface RequestLabels {
  method: string;
  route: string;
  status: number;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts and durations of requests, by route pattern. */
export class RequestMetrics {
  readonly registry = new Registry();
  private readonly requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by outcome',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  });
  private readonly durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte read to the last one sent',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30],
    registers: [this.registry],
  });

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
