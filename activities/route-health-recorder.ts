import { isRouteFault } from '../domain/institutions/route-health.js';
import type {
  RouteCalls,
  RouteHealthRepository,
} from '../prisma/routing/route-health.repository.js';
import type { ObservedCall } from './observed-providers.js';

export interface RouteHealthRecorderOptions {
  routes: Pick<RouteHealthRepository, 'add'>;
  /** How long calls are collected before they are stored, in milliseconds. */
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
  fetchTransactions: 'fetch',
};

/**
 * Counts the calls of each route and stores the counts together: one row for thousands of fetches. What is collected is lost with the process, which no choice depends on.
 */
export class RouteHealthRecorder {
  private collected = new Map<string, RouteCalls>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: RouteHealthRecorderOptions) {}

  readonly note = ({ provider, remoteId, operation: method, outcome }: ObservedCall): void => {
    const operation = OPERATION_OF[method];
    // An aborted call shows nothing, and an error of ours nothing of the source.
    if (operation === undefined || remoteId === null) return;
    if (outcome === 'aborted' || outcome === 'error') return;
    const cause = outcome === 'ok' ? null : outcome;
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
    const isFault = cause !== null && isRouteFault(cause);
    this.collected.set(key, {
      ...calls,
      successes: calls.successes + (isFault ? 0 : 1),
      failures: calls.failures + (isFault ? 1 : 0),
      lastCause: isFault ? cause : calls.lastCause,
    });
    this.timer ??= setTimeout(() => void this.flush(), this.options.collectMs).unref();
  };

  /** Stores what was collected; also called before the process stops. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const calls = [...this.collected.values()];
    this.collected = new Map();
    if (calls.length === 0) return;
    await this.options.routes.add(calls).catch(this.options.onError);
  }
}
