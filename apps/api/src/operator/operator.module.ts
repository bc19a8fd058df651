import { Module } from '@nestjs/common';
import type { Context } from '../../../../prisma/base/context.js';
import { SEARCH_ATTRIBUTE_TYPES } from '../../../../workflows/search-attribute-types.contract.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { databaseChecks } from '../../../platform/src/database/database-checks.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import type { HealthCheck } from '../../../platform/src/process/health-check.js';
import { watchChecks } from '../../../platform/src/process/watch-checks.js';
import type { TemporalClient } from '../../../platform/src/temporal/temporal-client.js';
import { temporalChecks } from '../../../platform/src/temporal/temporal-checks.js';
import { temporalPlace } from '../../../platform/src/temporal/temporal-place.js';
import { TEMPORAL_CLIENT } from '../../../platform/src/temporal/temporal.module.js';
import { STOP_ANNOUNCED } from '../http/stopping.js';
import { HEALTH_CHECKS, HealthController } from './health.controller.js';
import { providerNameChecks } from './provider-name-check.js';

@Module({
  controllers: [HealthController],
  providers: [
    {
      provide: HEALTH_CHECKS,
      inject: [SETTINGS, LOGGER, DATABASE_CONTEXT, TEMPORAL_CLIENT, STOP_ANNOUNCED],
      useFactory: healthChecks,
    },
  ],
})
export class OperatorModule {}

/** Without Temporal the API is degraded but ready: tokens, sessions, exchanges and reads still work. */
function healthChecks(
  settings: ApiSettings,
  logger: Logger,
  ctx: Context,
  temporal: TemporalClient,
  stopAnnounced: AbortSignal,
): HealthCheck[] {
  return watchChecks(
    [
      // Load balancers stop sending requests to a process that is about to stop.
      { part: 'process', critical: true, check: async () => stopAnnounced.throwIfAborted() },
      ...databaseChecks(ctx),
      ...providerNameChecks(ctx, settings),
      ...temporalChecks({
        temporal,
        place: temporalPlace(settings),
        attributes: SEARCH_ATTRIBUTE_TYPES,
        critical: false,
      }),
    ],
    { logger },
  );
}
