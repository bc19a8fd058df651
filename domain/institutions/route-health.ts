import type { ProviderCause } from '../errors/provider-failure.js';

/** The state of a route, derived from recent calls. */
export type RouteHealthClass = 'operational' | 'degraded' | 'down';

/** Decayed counts of calls, as of `changedAt`. */
export interface RouteCounts {
  successes: number;
  failures: number;
  changedAt: Date;
}

/** A count loses half its weight after this time, so an hour without calls clears an outage. */
export const HEALTH_HALF_LIFE_MS = 10 * 60_000;

/** Fewer recent failures say nothing about a route; also the condition of an index of `route_health`. */
export const FAILING_FROM = 2.5;
const DOWN_SHARE = 0.8;
const DEGRADED_SHARE = 0.3;

/** Causes that are the source's fault; a wrong password is not one. */
const FAULTS: ReadonlySet<string> = new Set<ProviderCause>([
  'institution_down',
  'institution_timeout',
  'provider_down',
  'malformed',
]);

/** Whether the outcome of a call is a cause that counts against its route. */
export function isRouteFault(outcome: string): outcome is ProviderCause {
  return FAULTS.has(outcome);
}

/** The counts, decayed to `now`. */
export function decayCounts(counts: RouteCounts, now: Date): RouteCounts {
  const ageMs = Math.max(0, now.getTime() - counts.changedAt.getTime());
  const left = 0.5 ** (ageMs / HEALTH_HALF_LIFE_MS);
  return {
    successes: counts.successes * left,
    failures: counts.failures * left,
    changedAt: now,
  };
}

/** The worst state among the operations of a route: logins and fetches may fail separately. */
export function routeHealth(operations: readonly RouteCounts[], now: Date): RouteHealthClass {
  const classes = operations.map((counts) => classOf(decayCounts(counts, now)));
  if (classes.includes('down')) return 'down';
  return classes.includes('degraded') ? 'degraded' : 'operational';
}

function classOf({ successes, failures }: RouteCounts): RouteHealthClass {
  if (failures < FAILING_FROM) return 'operational';
  const share = failures / (successes + failures);
  if (share >= DOWN_SHARE) return 'down';
  return share >= DEGRADED_SHARE ? 'degraded' : 'operational';
}
