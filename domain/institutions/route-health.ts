import type { ProviderCause } from '../errors/provider-failure.js';

/** What recent calls through a route say of it. */
export type RouteHealthClass = 'operational' | 'degraded' | 'down';

/** Decayed counts of calls, as of `changedAt`. */
export interface RouteCounts {
  successes: number;
  failures: number;
  changedAt: Date;
}

/** A count is worth half after this time, so an hour without calls forgets an outage. */
export const HEALTH_HALF_LIFE_MS = 10 * 60_000;

const LEAST_FAILURES = 2.5;
const DOWN_SHARE = 0.8;
const DEGRADED_SHARE = 0.3;

/** Causes that are the source's fault. A wrong password says nothing of the route. */
const FAULTS: ReadonlySet<ProviderCause> = new Set([
  'institution_down',
  'institution_timeout',
  'provider_down',
  'malformed',
]);

export function isRouteFault(cause: ProviderCause): boolean {
  return FAULTS.has(cause);
}

/** The counts, decayed until `now`. */
export function decayCounts(counts: RouteCounts, now: Date): RouteCounts {
  const ageMs = Math.max(0, now.getTime() - counts.changedAt.getTime());
  const left = 0.5 ** (ageMs / HEALTH_HALF_LIFE_MS);
  return {
    successes: counts.successes * left,
    failures: counts.failures * left,
    changedAt: now,
  };
}

/** The worst of the operations of a route: logins and fetches may fail separately. */
export function routeHealth(operations: readonly RouteCounts[], now: Date): RouteHealthClass {
  const classes = operations.map((counts) => classOf(decayCounts(counts, now)));
  if (classes.includes('down')) return 'down';
  return classes.includes('degraded') ? 'degraded' : 'operational';
}

function classOf({ successes, failures }: RouteCounts): RouteHealthClass {
  if (failures < LEAST_FAILURES) return 'operational';
  const share = failures / (successes + failures);
  if (share >= DOWN_SHARE) return 'down';
  return share >= DEGRADED_SHARE ? 'degraded' : 'operational';
}
