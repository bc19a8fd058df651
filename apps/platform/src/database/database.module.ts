import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { createContext, type Context } from '../../../../prisma/context.js';
import { openDatabase } from '../../../../prisma/database.js';
import { Sealer, type MasterKey } from '../../../../prisma/sealing/sealer.js';
import type { Logger } from '../logging/logger.js';

/** Injection token of what repositories work with: `@Inject(DATABASE_CONTEXT) context: Context`. */
export const DATABASE_CONTEXT = Symbol('database context');

export interface DatabaseModuleOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  maxConnections: number;
  masterKeys: readonly MasterKey[];
  logger: Logger;
}

/** The one pool of a process; it closes after everything that uses it has stopped. */
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DATABASE_CONTEXT) private readonly context: Context) {}

  static forRoot({ url, name, maxConnections, masterKeys, logger }: DatabaseModuleOptions): DynamicModule {
    const open = () => {
      const database = openDatabase({ url, name, maxConnections, onError: (err) => logger.warn({ err }, 'database.connection_lost') });
      return createContext(database, new Sealer(masterKeys));
    };
    return { module: DatabaseModule, global: true, providers: [{ provide: DATABASE_CONTEXT, useFactory: open }], exports: [DATABASE_CONTEXT] };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.context.database.close();
  }
}
