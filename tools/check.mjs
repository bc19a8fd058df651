import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { outdatedFiles } from './generate-docs.mjs';
import { compareMigrations } from './migration.mjs';
import { startServices } from './services.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const TSC = 'node_modules/typescript/bin/tsc';

/** Each answers what is wrong, or nothing. */
const CHECKS = [
  ['types', () => tool(TSC, '-p', 'tsconfig.json', '--noEmit', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tributary/types.tsbuildinfo')],
  ['types of the web SDKs', async () => await tool(TSC, '-p', 'test/sdk/tsconfig.json') ?? tool(TSC, '-p', 'examples/connect-web/tsconfig.json')],
  ['types of Connect', async () => await tool(TSC, '-p', 'apps/connect/tsconfig.json') ?? tool(TSC, '-p', 'test/browser/tsconfig.json')],
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

async function tool(script, ...args) {
  // Not in one go with us: tests may run beside it.
  const child = spawn(process.execPath, [script, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const status = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const said = await Promise.all([text(child.stdout), text(child.stderr)]);
  return await status === 0 ? undefined : said.join('').trim();
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
