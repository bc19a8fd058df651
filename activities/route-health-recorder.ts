import { isRouteFault } from '../domain/institutions/route-health.js';
import type {
  RouteCalls,
  RouteHealthRepository,
} from '../prisma/routing/route-health.repository.js';
import type { ProviderCall } from './observe-provider.js';

export interface RouteHealthRecorderOptions {
  routes: Pick<RouteHealthRepository, 'add'>;
  /** How long calls are collected before they are stored, in milliseconds. */
  collectMs: number;
  onError: (error: unknown) => void;
}

/**
 * Counts the calls of each route and stores the counts together: one row for thousands of fetches. What is collected is lost with the process, which no choice depends on.
 */
export class RouteHealthRecorder {
  private collected = new Map<string, RouteCalls>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: RouteHealthRecorderOptions) {}

  readonly note = ({ provider, remoteId, operation, cause }: ProviderCall): void => {
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
