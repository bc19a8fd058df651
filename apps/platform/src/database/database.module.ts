import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Context } from '../../../../prisma/base/context.js';
import { openContext, type ContextOptions } from './open-context.js';

/** Injection token of the context of repositories: `@Inject(DATABASE_CONTEXT) context: Context`. */
export const DATABASE_CONTEXT = Symbol('database context');

/** The only pool of a process; it closes after everything that uses it has stopped. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DATABASE_CONTEXT) private readonly context: Context) {}

  static forRoot(options: ContextOptions): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [{ provide: DATABASE_CONTEXT, useFactory: () => openContext(options) }],
      exports: [DATABASE_CONTEXT],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.context.database.close();
  }
}
