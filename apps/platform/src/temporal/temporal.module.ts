import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from '../logging/logger.js';
import { LOGGER } from '../logging/logging.module.js';
import {
  openTemporalClient,
  type TemporalClient,
  type TemporalClientOptions,
} from './temporal-client.js';

/** Injection token: `@Inject(TEMPORAL_CLIENT) temporal: TemporalClient`. */
export const TEMPORAL_CLIENT = Symbol('temporal client');

/** A Temporal client that exists without the server, and closes after everything that uses it has stopped. */
@Module({})
export class TemporalModule implements OnApplicationShutdown {
  constructor(@Inject(TEMPORAL_CLIENT) private readonly temporal: TemporalClient) {}

  static forRoot(options: TemporalClientOptions): DynamicModule {
    return {
      module: TemporalModule,
      global: true,
      providers: [
        {
          provide: TEMPORAL_CLIENT,
          inject: [LOGGER],
          useFactory: (logger: Logger) =>
            openTemporalClient({
              ...options,
              onUnavailable: (reason) =>
                logger.warn({ address: options.address, reason }, 'temporal.unavailable'),
            }),
        },
      ],
      exports: [TEMPORAL_CLIENT],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.temporal.close();
  }
}
