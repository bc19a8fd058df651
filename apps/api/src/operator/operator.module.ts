import { Module } from '@nestjs/common';
import type { Context } from '../../../../prisma/context.js';
import { DATABASE_CONTEXT } from '../../../platform/src/database/database.module.js';
import { identityCheck } from '../../../platform/src/database/watch-identity.js';
import type { HealthCheck } from '../../../platform/src/process/health-check.js';
import type { TemporalClient } from '../../../platform/src/temporal/temporal-client.js';
import { TEMPORAL_CLIENT } from '../../../platform/src/temporal/temporal.module.js';
import { STOP_ANNOUNCED } from '../http/stopping.js';
import { HEALTH_CHECKS, HealthController } from './health.controller.js';

@Module({
  controllers: [HealthController],
  providers: [
    {
      provide: HEALTH_CHECKS,
      inject: [DATABASE_CONTEXT, TEMPORAL_CLIENT, STOP_ANNOUNCED],
      useFactory: healthChecks,
    },
  ],
})
export class OperatorModule {}

/** Without Temporal the API is degraded but ready: tokens, sessions, exchanges and reads still work. */
function healthChecks(
  { database }: Context,
  temporal: TemporalClient,
  stopAnnounced: AbortSignal,
): HealthCheck[] {
  return [
    // Load balancers send nothing more to a process that is about to stop.
    {
      part: 'process',
      critical: true,
      check: async () => stopAnnounced.throwIfAborted(),
    },
    { part: 'database', critical: true, check: () => database.ping() },
    identityCheck(database),
    {
      part: 'temporal',
      critical: false,
      check: async () => {
        if (!(await temporal.isAvailable())) throw new Error('not reachable');
      },
    },
  ];
}
