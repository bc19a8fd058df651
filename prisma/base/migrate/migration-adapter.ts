import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { Pool, type PoolConfig, type QueryResult } from 'pg';

/**
 * Connects the engine to PostgreSQL. Differs from the plain adapter in three ways: a script is sent
 * as a whole, so it is one transaction and is not split at semicolons in comments or function
 * bodies; the shadow database is a separate database; and catalog columns of type "char" can be
 * read.
 */
export class MigrationAdapterFactory implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider = 'postgres';
  readonly adapterName = 'migration';
  private readonly closing: (() => Promise<void>)[] = [];

  constructor(private readonly databaseUrl: string) {}

  async connect(): Promise<SqlDriverAdapter> {
    const adapter = await connectTo(this.databaseUrl);
    this.closing.unshift(() => adapter.dispose());
    return { ...adapter, dispose: async () => undefined };
  }

  async connectToShadowDb(): Promise<SqlDriverAdapter> {
    const name = `tributary_shadow_${randomUUID().replaceAll('-', '')}`;
    const admin = await this.connect();
    await admin.executeScript(`CREATE DATABASE "${name}"`);
    this.closing.unshift(() => admin.executeScript(`DROP DATABASE "${name}" WITH (FORCE)`));
    const shadow = await connectTo(withDatabase(this.databaseUrl, name));
    this.closing.unshift(() => shadow.dispose());
    return { ...shadow, dispose: async () => undefined };
  }

  /**
   * Closes the connections that the engine leaves open: it does not wait for its adapters' own
   * `dispose`.
   */
  async close(): Promise<void> {
    for (const close of this.closing.splice(0)) await close();
  }
}

async function connectTo(databaseUrl: string): Promise<SqlDriverAdapter> {
  // A single connection, because the engine's advisory lock belongs to a session.
  const pool = new CatalogPool({
    connectionString: databaseUrl,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  const adapter = await new PrismaPg(pool, {
    disposeExternalPool: true,
    onPoolError: () => undefined,
  }).connect();
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    executeRaw: (query) => adapter.executeRaw(query),
    startTransaction: (isolationLevel) => adapter.startTransaction(isolationLevel),
    getConnectionInfo: () => adapter.getConnectionInfo(),
    dispose: () => adapter.dispose(),
    queryRaw: async (query) => {
      const result = await adapter.queryRaw(query);
      for (const column of pool.charColumnsOf(result.rows))
        result.columnTypes[column] = ColumnTypeEnum.Character;
      return result;
    },
    executeScript: async (script) => {
      await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
    },
  };
}

function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

const CHAR = 18;
const TEXT = 25;

/**
 * The adapter rejects the catalog's one-byte "char" type, so these columns are presented as text
 * and restored in the results.
 */
class CatalogPool extends Pool {
  private readonly charColumns = new WeakMap<object, number[]>();

  constructor(config: PoolConfig) {
    super(config);
    const query = this.query.bind(this) as (...args: unknown[]) => Promise<QueryResult>;
    this.query = (async (...args: unknown[]) => {
      const result = await query(...args);
      const fields = result.fields ?? [];
      this.charColumns.set(
        result.rows ?? [],
        fields.flatMap((field, index) => (field.dataTypeID === CHAR ? [index] : [])),
      );
      for (const field of fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
      return result;
    }) as typeof this.query;
  }

  charColumnsOf(rows: object): readonly number[] {
    return this.charColumns.get(rows) ?? [];
  }
}
