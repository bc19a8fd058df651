import { Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from './logger.js';

/** Injection token of the logger: `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('logger');

@Module({})
export class LoggingModule {
  static forRoot(logger: Logger): DynamicModule {
    return {
      module: LoggingModule,
      global: true,
      providers: [{ provide: LOGGER, useValue: logger }],
      exports: [LOGGER],
    };
  }
}
