import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import { MigrationAdapterFactory } from './migration-adapter.js';

const GLUE = '@prisma/schema-engine-wasm/schema_engine_bg';

interface Glue {
  SchemaEngine: typeof SchemaEngine;
  __wbg_set_wasm(exports: object): void;
}

declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

/** Compares schemas without including or excluding anything. */
export const ALL_TABLES = { externalTables: [], externalEnums: [] };

/**
 * Runs work with Prisma's own migration engine as WebAssembly: nothing is downloaded, and `prisma
 * migrate` can read its output. Call it once per process: the engine can neither be loaded twice
 * nor fully unloaded.
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const glue = (await import(GLUE)) as Glue;
  const module = await readFile(fileURLToPath(import.meta.resolve(GLUE).replace(/\.js$/, '.wasm')));
  const { instance } = await WebAssembly.instantiate(module, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  const { __wbindgen_start: start } = instance.exports;
  if (typeof start === 'function') start();
  const adapters = new MigrationAdapterFactory(databaseUrl);
  try {
    return await work(
      await glue.SchemaEngine.new(
        { datamodels: undefined },
        () => undefined,
        bindMigrationAwareSqlAdapterFactory(adapters),
      ),
    );
  } finally {
    await adapters.close();
  }
}
