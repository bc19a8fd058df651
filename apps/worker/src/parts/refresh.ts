import { createAggregationActivities } from '../../../../activities/refresh/aggregation-activities.js';
import type { ObserveRefresh } from '../../../../activities/refresh/observe-refresh.js';
import { sourceFactsOf } from '../../../../activities/refresh/source-facts.js';
import { createUpdateActivities } from '../../../../activities/refresh/update-activities.js';
import { createFetchActivities } from '../../../../activities/refresh/fetch-activities.js';
import { createRefreshActivities } from '../../../../activities/refresh/refresh-activities.js';
import { DueLinkRepository } from '../../../../prisma/work/refresh/due-link.repository.js';
import { FetchedProductRepository } from '../../../../prisma/work/refresh/fetched-product.repository.js';
import { RefreshRequestRepository } from '../../../../prisma/work/refresh/refresh-request.repository.js';
import { RefreshRunRepository } from '../../../../prisma/work/refresh/refresh-run.repository.js';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { BankAccess } from './bank-access.js';
import { createStreamUpdates } from './stream-updates.js';

/** Times of scheduled refreshes. */
export function refreshSchedule(settings: WorkerSettings) {
  return {
    intervals: { fast: settings.refreshInterval, slow: settings.refreshIntervalSlow },
    jitter: settings.refreshJitter,
  };
}

/** Product refreshes of links, and the schedule that starts them. */
export function createRefreshParts(banks: BankAccess, logger: Logger, observe: ObserveRefresh) {
  const { ctx, settings, providers, renewals, quotas, observeFaults } = banks;
  const schedule = refreshSchedule(settings);
  const chance = Math.random;
  const sources = sourceFactsOf(providers);
  const rules = { faultyAfter: settings.faultyAfter, schedule, chance, sources };
  const due = new DueLinkRepository(ctx, {
    ...schedule,
    spreadMs: settings.aggregationTick,
    chance,
    sources,
  });
  const fetching = {
    refresh: new FetchedProductRepository(ctx, rules),
    providers,
    renewals,
    quotas,
    observe,
    observeFaults,
    updateStreams: createStreamUpdates(ctx, logger),
  };
  return {
    requests: new RefreshRequestRepository(ctx, rules),
    databaseActivities: {
      ...createRefreshActivities({ refresh: new RefreshRunRepository(ctx, rules), observe }),
      ...createAggregationActivities({ due, now: ctx.clock }),
    },
    bankActivities: { ...createFetchActivities(fetching), ...createUpdateActivities(fetching) },
  };
}
