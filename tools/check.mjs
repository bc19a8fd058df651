import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { outdatedFiles } from './generate-docs.mjs';
import { compareMigrations } from './migration.mjs';
import { startServices } from './services.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Each answers what is wrong, or nothing. */
const CHECKS = [
  ['types', () => tool('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tributary/types.tsbuildinfo')],
  ['types of the web SDKs', () => tool('node_modules/typescript/bin/tsc', '-p', 'test/sdk/tsconfig.json') ?? tool('node_modules/typescript/bin/tsc', '-p', 'examples/connect-web/tsconfig.json')],
  ['types of Connect', () => tool('node_modules/typescript/bin/tsc', '-p', 'apps/connect/tsconfig.json') ?? tool('node_modules/typescript/bin/tsc', '-p', 'test/browser/tsconfig.json')],
  ['lint', () => tool('node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0', '--cache', '--cache-location', 'node_modules/.cache/eslint/')],
  ['generated files', async () => {
    const outdated = await outdatedFiles();
    return outdated.length > 0 ? `Not current: ${outdated.join(', ')}. Run: npm run docs` : undefined;
  }],
  ['migrations', ({ databaseUrl }) => {
    const { agrees, sql } = compareMigrations(databaseUrl);
    return agrees ? undefined : `prisma/schema.prisma has what prisma/migrations has not. Put this into a new migration:\n${sql}`;
  }],
];

/** Everything that can be said about the project without running it. @returns { passed, failed } */
export async function runChecks({ databaseUrl }) {
  const counts = { passed: 0, failed: 0 };
  for (const [name, check] of CHECKS) {
    const problem = await Promise.resolve().then(() => check({ databaseUrl })).catch((error) => error.message);
    process.stdout.write(problem === undefined ? `  ✓ ${name}\n` : `  ✗ ${name}\n${problem}\n`);
    counts[problem === undefined ? 'passed' : 'failed'] += 1;
  }
  return counts;
}

function tool(script, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? undefined : `${stdout}${stderr}`.trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build();
  const services = await startServices({ temporal: false });
  try {
    const { failed } = await runChecks({ databaseUrl: services.env.TEST_DATABASE_URL });
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    await services.stop();
  }
}
