import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../../apps/standalone/src/supervision/run-program.js';

/** The id of the change of the workflow. */
export const NEXT_PATCH = 'fixture-of-the-next-build';
/** Below the packages of the project, so that the copy finds them. */
const FOLDER = 'node_modules/.cache/tributary/next-build';
const MIGRATION = 'ALTER TABLE "links" ADD COLUMN "of_the_next_build" TEXT;\n';
const WORKFLOW = 'workflows/product-refresh/product-refresh.workflow.js';
const BUNDLE_WITHIN_MS = 300_000;

/** A copy of the build with one more migration and a refresh that has one more step, under `patched`. @returns its folder */
export async function makeNextBuild(): Promise<string> {
  const dist = join(process.cwd(), FOLDER, 'dist');
  rmSync(join(process.cwd(), FOLDER), { recursive: true, force: true });
  cpSync('dist', dist, { recursive: true });
  writeFileSync(join(process.cwd(), FOLDER, 'package.json'), '{ "type": "module" }\n');
  const migration = join(dist, 'prisma/migrations/20990101000000_of_the_next_build');
  mkdirSync(migration);
  writeFileSync(join(migration, 'migration.sql'), MIGRATION);
  const source = readFileSync(join(dist, WORKFLOW), 'utf8');
  const changed = source.replace(
    'requests.take();',
    `requests.take(); if (patched('${NEXT_PATCH}')) await sleep(1);`,
  );
  if (changed === source) throw new Error(`${WORKFLOW} has changed, and so must this copy of it`);
  const imports = "import { patched, sleep } from '@temporalio/workflow';\n";
  writeFileSync(join(dist, WORKFLOW), imports + changed);
  const { ok, output } = await runProgram(
    process.execPath,
    [join(dist, 'apps/worker/src/temporal/bundle-main.js'), join(dist, 'workflow-bundle.js')],
    { within: BUNDLE_WITHIN_MS },
  );
  if (!ok) throw new Error(`the next build could not be made:\n${output}`);
  return dist;
}
