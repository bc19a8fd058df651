import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { runNode } from './process.mjs';
import { startServices } from '../test/support/services/start-services.mjs';

/**
 * The missing SQL between prisma/migrations and prisma/schema.prisma.
 * @returns `{ agrees, sql }`
 */
export async function compareMigrations(databaseUrl) {
  const { status, stdout, output } = await runNode(
    ['dist/prisma/base/migrate/diff-main.js', 'prisma'],
    {
      DATABASE_URL: databaseUrl,
    },
  );
  if (status !== 0 && status !== 2) throw new Error(output.trim());
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
    const { sql } = await compareMigrations(services.env.TEST_DATABASE_URL);
    process.stdout.write(sql);
  } finally {
    await services.stop();
  }
}
