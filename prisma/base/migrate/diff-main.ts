import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readMigrationList } from './migration-list.js';
import { ALL_TABLES, withSchemaEngine } from './schema-engine.js';

// Prints the SQL that leads from the migrations to schema.prisma; exits with 2 if there is any, 0
// if they agree. Both are read from the given folder, or from next to this file.
const folder = process.argv[2] ?? fileURLToPath(new URL('../../', import.meta.url));
const databaseUrl = process.env['DATABASE_URL'] ?? '';
const [migrations, schema] = await Promise.all([
  readMigrationList(`${folder}/migrations`),
  readFile(`${folder}/schema.prisma`, 'utf8'),
]);
try {
  const { exitCode, stdout } = await withSchemaEngine(databaseUrl, (engine) =>
    engine.diff({
      from: { tag: 'migrations', ...migrations },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
      script: true,
      exitCode: true,
      filters: ALL_TABLES,
    }),
  );
  process.stdout.write(stdout ?? '');
  process.exit(exitCode);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
