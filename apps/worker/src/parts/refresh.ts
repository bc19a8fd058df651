import { createAggregationActivities } from '../../../../activities/refresh/aggregation-activities.js';
import type { ObserveRefresh } from '../../../../activities/refresh/observe-refresh.js';
import { sourceFactsOf } from '../../../../activities/refresh/source-facts.js';
import { createUpdateActivities } from '../../../../activities/refresh/update-activities.js';
import { createFetchActivities } from '../../../../activities/refresh/fetch-activities.js';
import { createRefreshActivities } from '../../../../activities/refresh/refresh-activities.js';
import { DueLinkRepository } from '../../../../prisma/work/refresh/due-link.repository.js';
import { RefreshRepository } from '../../../../prisma/work/refresh/refresh.repository.js';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';
import type { BankAccess } from './bank-access.js';

/** Times of scheduled refreshes. */
export function refreshSchedule(settings: WorkerSettings) {
  return {
    intervals: { fast: settings.refreshInterval, slow: settings.refreshIntervalSlow },
    jitter: settings.refreshJitter,
  };
}

/** Product refreshes of links, and the schedule that starts them. */
export function createRefreshParts(banks: BankAccess, observe: ObserveRefresh) {
  const { ctx, settings, providers, renewals, quotas, observeFaults } = banks;
  const schedule = refreshSchedule(settings);
  const chance = Math.random;
  const sources = sourceFactsOf(providers);
  const refresh = new RefreshRepository(ctx, {
    faultyAfter: settings.faultyAfter,
    schedule,
    chance,
    sources,
  });
  const due = new DueLinkRepository(ctx, {
    ...schedule,
    spreadMs: settings.aggregationTick,
    chance,
    sources,
  });
  const fetching = { refresh, providers, renewals, quotas, observe, observeFaults };
  return {
    refresh,
    databaseActivities: {
      ...createRefreshActivities({ refresh, observe }),
      ...createAggregationActivities({ due, now: ctx.clock }),
    },
    bankActivities: { ...createFetchActivities(fetching), ...createUpdateActivities(fetching) },
  };
}
