import { isRouteFault } from '../domain/institutions/route-health.js';
import type {
  RouteCalls,
  RouteHealthRepository,
} from '../prisma/sources/routing/route-health.repository.js';
import type { ObservedCall } from './observed-providers.js';

export interface RouteHealthRecorderOptions {
  routes: Pick<RouteHealthRepository, 'add'>;
  /** The period for which calls are collected before they are stored, in milliseconds. */
  collectMs: number;
  onError: (error: unknown) => void;
}

const OPERATION_OF: Readonly<Record<string, RouteCalls['operation']>> = {
  begin: 'login',
  advance: 'login',
  poll: 'login',
  startRedirect: 'login',
  completeRedirect: 'login',
  fetchAccounts: 'fetch',
  fetchAccountNumbers: 'fetch',
  fetchIdentity: 'fetch',
  fetchHoldings: 'fetch',
  fetchInvestmentTransactions: 'fetch',
  fetchLiabilities: 'fetch',
  fetchTransactions: 'fetch',
};

/** Outcomes that are not evidence about the source: it was not called, or the fault is internal. */
const NO_EVIDENCE: ReadonlySet<ObservedCall['outcome']> = new Set([
  'aborted',
  'error',
  'internal',
  'rate_limited',
]);

/**
 * Counts the calls of each route and stores the counts together: one row for thousands of fetches.
 * The process may lose collected counts, because no choice depends on a single call.
 */
export class RouteHealthRecorder {
  private collected = new Map<string, RouteCalls>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: RouteHealthRecorderOptions) {}

  readonly note = ({ provider, remoteId, operation: method, outcome }: ObservedCall): void => {
    const operation = OPERATION_OF[method];
    if (operation === undefined || remoteId === null || NO_EVIDENCE.has(outcome)) return;
    const key = JSON.stringify([provider, remoteId, operation]);
    const calls = this.collected.get(key) ?? {
      provider,
      remoteId,
      operation,
      successes: 0,
      failures: 0,
      lastCause: null,
    };
    // A refused user shows that the route works.
    const fault = isRouteFault(outcome) ? outcome : null;
    // Most logins start with a form or a redirect, without a call.
    if (method === 'begin' && outcome === 'ok') return;
    this.collected.set(key, {
      ...calls,
      successes: calls.successes + (fault === null ? 1 : 0),
      failures: calls.failures + (fault === null ? 0 : 1),
      lastCause: fault ?? calls.lastCause,
    });
    this.timer ??= setTimeout(() => void this.flush(), this.options.collectMs).unref();
  };

  /** Stores the collected counts; also called before the process stops. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const calls = [...this.collected.values()];
    this.collected = new Map();
    if (calls.length === 0) return;
    await this.options.routes.add(calls).catch(this.options.onError);
  }
}
