import { Module, type DynamicModule } from '@nestjs/common';
import { SettingsModule } from '../../platform/src/config/settings.module.js';
import type { WorkerSettings } from '../../platform/src/config/settings.js';
import { boundsOf } from '../../platform/src/config/app-bounds.js';
import { DatabaseModule } from '../../platform/src/database/database.module.js';
import type { Logger } from '../../platform/src/logging/logger.js';
import { LoggingModule } from '../../platform/src/logging/logging.module.js';
import { temporalPlace } from '../../platform/src/temporal/temporal-place.js';
import { TemporalModule } from '../../platform/src/temporal/temporal.module.js';
import type { Adapter } from '../../../providers/adapter.js';
import { ADAPTERS } from '../../../providers/adapters.js';
import { KNOWN_ADAPTERS, WorkerProcess } from './worker-process.js';

@Module({})
export class WorkerModule {
  static with(
    settings: WorkerSettings,
    logger: Logger,
    adapters: readonly Adapter[] = ADAPTERS,
  ): DynamicModule {
    const { databaseUrl, masterKeys } = settings;
    return {
      module: WorkerModule,
      imports: [
        SettingsModule.forRoot(settings),
        LoggingModule.forRoot(logger),
        DatabaseModule.forRoot({
          url: databaseUrl,
          name: 'tributary-worker',
          maxConnections: settings.workerDatabaseConnections,
          masterKeys,
          bounds: boundsOf(settings),
          permissionNoticesMs: settings.permissionNotices,
          logger,
        }),
        TemporalModule.forRoot({ ...temporalPlace(settings), masterKeys }),
      ],
      providers: [WorkerProcess, { provide: KNOWN_ADAPTERS, useValue: adapters }],
    };
  }
}
