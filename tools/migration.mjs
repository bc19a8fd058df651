import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { startServices } from '../test/support/services/start-services.mjs';

/**
 * The SQL that is missing between prisma/migrations and prisma/schema.prisma.
 * @returns `{ agrees, sql }`
 */
export function compareMigrations(databaseUrl) {
  const entry = fileURLToPath(new URL('../dist/prisma/migrate/diff-main.js', import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [entry, fileURLToPath(new URL('../prisma', import.meta.url))],
    {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      encoding: 'utf8',
    },
  );
  if (status !== 0 && status !== 2) throw new Error(stderr.trim());
  return { agrees: status === 0, sql: stdout };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] !== 'diff') {
    process.stderr.write(
      'Usage: node tools/migration.mjs diff\nPrints the SQL of the next migration: what prisma/schema.prisma has and prisma/migrations has not.\n',
    );
    process.exit(1);
  }
  await build({ quiet: true, types: false });
  const services = await startServices({ temporal: false });
  try {
    process.stdout.write(compareMigrations(services.env.TEST_DATABASE_URL).sql);
  } finally {
    await services.stop();
  }
}
