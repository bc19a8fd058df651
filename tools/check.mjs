import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startServices } from '../test/support/services/start-services.mjs';
import { build } from './build.mjs';
import {
  auditDependencies,
  checkInstallScripts,
  writeBillOfMaterials,
} from './check-dependencies.mjs';
import { checkExpressions } from './check-expressions.mjs';
import { checkPhrases, checkSpelling } from './check-spelling.mjs';
import { outdatedFiles } from '../docs/generators/generate-docs.mjs';
import { compareMigrations } from './migration.mjs';
import { ROOT, runNode } from './process.mjs';

/**
 * Every project of the sources; `connect-js`, `connect-react` and the packages of `clients/` are checked when they are built.
 * The part of connect-js without a browser's interfaces is checked again without their types.
 */
const PROJECTS = {
  'apps/connect/': 'apps/connect',
  'apps/console/': 'apps/console',
  'packages/connect-protocol/': 'packages/connect-protocol',
  'packages/connect-js/': 'packages/connect-js/tsconfig.core.json',
  'packages/plaid-link/': 'packages/plaid-link',
  'test/browser/': 'test/browser',
  'test/sdk/consumer/': 'test/sdk/consumer',
  'test/sdk/node-consumer/': 'test/sdk/node-consumer',
  'test/sdk/': 'test/sdk',
  'examples/connect-web/': 'examples/connect-web',
  'examples/plaid-app/': 'examples/plaid-app',
  '': 'tsconfig.json',
};

const tsc = (projects) => run('typescript-7/bin/tsc', ['--build', ...projects]);
const oxlint = (files) =>
  run('oxlint/bin/oxlint', ['--deny-warnings', '--no-error-on-unmatched-pattern', ...files]);
const oxfmt = (files) =>
  run('oxfmt/bin/oxfmt', ['--list-different', '--no-error-on-unmatched-pattern', ...files]);

/** Each returns the problems, or nothing. */
const CHECKS = {
  types: () => tsc(Object.values(PROJECTS)),
  lint: () => oxlint(['.']),
  format: () => oxfmt(['.']).then((files) => files && `Run: npm run format\n${files}`),
  'unused code': () => run('knip/bin/knip.js', ['--no-progress']),
  spelling: () => checkSpelling(),
  phrases: () => checkPhrases(),
  expressions: () => checkExpressions(),
  'generated files': async () => {
    const outdated = await outdatedFiles();
    return outdated.length > 0 ? `Run: npm run docs\n${outdated.join('\n')}` : '';
  },
  'OpenAPI document': () =>
    run('@redocly/cli/bin/cli.js', ['lint', 'docs/openapi.json'], {
      // Nothing is sent to its maker or asked there.
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    }),
  migrations: async ({ databaseUrl }) => {
    const { agrees, sql } = await compareMigrations(databaseUrl);
    return agrees ? '' : `A migration for prisma/schema.prisma is missing:\n${sql}`;
  },
  'install scripts': () => checkInstallScripts(),
  'bill of materials': () => writeBillOfMaterials(),
};

/** All checks that do not run the project. @returns { passed, failed } */
export const runChecks = (context) => runAll(CHECKS, context);

/** The format, lint and types of the staged files, in their state of the working tree: for a pre-commit hook. */
async function checkStaged() {
  const staged = execFileSync('git', ['diff', '--cached', '--name-only', '--diff-filter=d', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const files = staged.split('\0').filter((file) => file !== '');
  const sources = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file));
  const typed = sources.filter((file) => /\.[cm]?tsx?$/.test(file));
  const projects = new Set(typed.map(projectOf));
  return runAll({
    format: () => (files.length > 0 ? oxfmt(files) : ''),
    lint: () => (sources.length > 0 ? oxlint(sources) : ''),
    types: () => (projects.size > 0 ? tsc([...projects]) : ''),
  });
}

const projectOf = (file) =>
  Object.entries(PROJECTS).find(([folder]) => file.startsWith(folder))?.[1];

async function runAll(checks, context) {
  const counts = { passed: 0, failed: 0 };
  for (const [name, check] of Object.entries(checks)) {
    const problem = await Promise.resolve(context)
      .then(check)
      .catch((error) => error.stack);
    process.stdout.write(problem ? `  ✗ ${name}\n${problem}\n` : `  ✓ ${name}\n`);
    counts[problem ? 'failed' : 'passed'] += 1;
  }
  return counts;
}

/** The output of a failed tool, or an empty string. */
async function run(script, args, env = {}) {
  const { status, output } = await runNode([`node_modules/${script}`, ...args], env);
  return status === 0 ? '' : output || `${script} ended with status ${status}`;
}

/** Not part of `npm test`: an advisory published today must not fail a tree that passed yesterday. */
const AUDIT = {
  'dependency audit': async () => {
    const { problem, skipped } = await auditDependencies();
    if (skipped !== undefined) process.stdout.write(`  – dependency audit skipped: ${skipped}\n`);
    return problem;
  },
  architecture: () =>
    runNode(['tools/test.mjs', 'architecture']).then(({ status, output }) => status && output),
};

async function checkAll() {
  await build({ types: false });
  const services = await startServices({ temporal: false });
  try {
    const found = await runChecks({ databaseUrl: services.env.TEST_DATABASE_URL });
    const further = await runAll(AUDIT);
    return { failed: found.failed + further.failed };
  } finally {
    await services.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { failed } = await (process.argv.includes('--staged') ? checkStaged() : checkAll());
  process.exitCode = failed === 0 ? 0 : 1;
}
