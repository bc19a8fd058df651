import type { Context } from '../../../prisma/base/context.js';
import { SEARCH_ATTRIBUTE_TYPES } from '../../../workflows/search-attribute-types.contract.js';
import type { WorkerSettings } from '../../platform/src/config/settings.js';
import { databaseChecks } from '../../platform/src/database/database-checks.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import type { HealthCheck } from '../../platform/src/process/health-check.js';
import { watchChecks } from '../../platform/src/process/watch-checks.js';
import { temporalChecks } from '../../platform/src/temporal/temporal-checks.js';
import type { TemporalClient } from '../../platform/src/temporal/temporal-client.js';
import { temporalPlace } from '../../platform/src/temporal/temporal-place.js';

export interface WorkerChecks {
  /** Checks that must pass before all other work. */
  database: HealthCheck[];
  /** Checks that must pass before tasks are polled. */
  temporal: HealthCheck[];
}

/** The requirements of a worker, all of them critical. */
export function workerChecks(
  settings: WorkerSettings,
  parts: { ctx: Context; temporal: TemporalClient; logger: Logger },
): WorkerChecks {
  const watch = (checks: HealthCheck[]) => watchChecks(checks, { logger: parts.logger });
  return {
    database: watch(databaseChecks(parts.ctx)),
    temporal: watch(
      temporalChecks({
        temporal: parts.temporal,
        place: temporalPlace(settings),
        attributes: SEARCH_ATTRIBUTE_TYPES,
        critical: true,
      }),
    ),
  };
}
