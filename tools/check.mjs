import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import {
  auditDependencies,
  checkInstallScripts,
  writeBillOfMaterials,
} from './check-dependencies.mjs';
import { checkWords } from './check-words.mjs';
import { outdatedFiles } from './generate-docs.mjs';
import { compareMigrations } from './migration.mjs';
import { startServices } from './services.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Each answers what is wrong, or nothing. */
const CHECKS = [
  ['types', async ({ sources }) => (await sources).types],
  ['lint', async ({ sources }) => (await sources).lint],
  ['format', () => checkFormat()],
  ['unused code', () => checkUnused()],
  ['words', () => checkWords()],
  [
    'generated files',
    async () => {
      const outdated = await outdatedFiles();
      return outdated.length > 0
        ? `Not current: ${outdated.join(', ')}. Run: npm run docs`
        : undefined;
    },
  ],
  [
    'migrations',
    ({ databaseUrl }) => {
      const { agrees, sql } = compareMigrations(databaseUrl);
      return agrees
        ? undefined
        : `prisma/schema.prisma has what prisma/migrations has not. Put this into a new migration:\n${sql}`;
    },
  ],
  ['install scripts', () => checkInstallScripts()],
  ['bill of materials', () => writeBillOfMaterials()],
];

/** Everything that can be said about the project without running it. @param sources as `checkSources` answers @returns { passed, failed } */
export async function runChecks({ databaseUrl, sources }) {
  const counts = { passed: 0, failed: 0 };
  for (const [name, check] of CHECKS) {
    const problem =
      (await Promise.resolve()
        .then(() => check({ databaseUrl, sources }))
        .catch((error) => error.message)) || undefined;
    process.stdout.write(problem === undefined ? `  ✓ ${name}\n` : `  ✗ ${name}\n${problem}\n`);
    counts[problem === undefined ? 'passed' : 'failed'] += 1;
  }
  return counts;
}

/** Prettier, as .prettierrc.json and .prettierignore configure it. */
function checkFormat() {
  const files = run('prettier/bin/prettier.cjs', ['--list-different', '--cache', '.']);
  return files === '' ? undefined : `Not formatted. Run: npm run format\n${files}`;
}

/** Files, exports and dependencies that nothing uses, as knip.json defines them. */
const checkUnused = () => run('knip/bin/knip.js', ['--no-progress']) || undefined;

/** What a tool writes when it fails, or an empty string. */
function run(script, args) {
  const tool = [`node_modules/${script}`, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, tool, {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

/** Types and lint, as tools/check-sources.mjs finds them. */
export async function checkSources() {
  // Not in one go with us: tests may run beside it.
  const child = spawn(process.execPath, ['tools/check-sources.mjs'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const status = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [found, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await status) !== 0) throw new Error(said.trim());
  return JSON.parse(found);
}

/** Not part of `npm test`: an advisory published today must not fail a tree that passed yesterday. */
async function isAuditClean() {
  const { problem, skipped } = await auditDependencies();
  if (skipped !== undefined) process.stdout.write(`  – dependency audit skipped: ${skipped}\n`);
  else
    process.stdout.write(
      problem === undefined ? '  ✓ dependency audit\n' : `  ✗ dependency audit\n${problem}\n`,
    );
  return problem === undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build({ types: false });
  const services = await startServices({ temporal: false });
  try {
    const { failed } = await runChecks({
      databaseUrl: services.env.TEST_DATABASE_URL,
      sources: checkSources(),
    });
    process.exitCode = failed === 0 && (await isAuditClean()) ? 0 : 1;
  } finally {
    await services.stop();
  }
}
