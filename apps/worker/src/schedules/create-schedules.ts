import type { Client } from '@temporalio/client';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { WorkerParts } from '../parts/worker-parts.js';
import { AggregationSchedules } from './aggregation-schedules.js';
import { CatalogSchedules } from './catalog-schedules.js';
import { RotationSchedule } from './rotation-schedule.js';
import { WorkerSchedules } from './worker-schedules.js';

/** Refreshes of due links, lists of institutions, and the rotation of signing keys. */
export function createSchedules(
  client: Client,
  settings: WorkerSettings,
  { catalog }: Pick<WorkerParts, 'catalog'>,
  logger: Logger,
): WorkerSchedules {
  return new WorkerSchedules(
    [
      new AggregationSchedules({
        client,
        tickMs: settings.aggregationTick,
        shards: settings.aggregationShards,
      }),
      new CatalogSchedules({ client, names: () => catalog.catalog.configurations() }),
      new RotationSchedule({ client, everyMs: settings.signingKeyRotation }),
    ],
    logger,
  );
}
