import { fileURLToPath } from 'node:url';
import { environmentOf } from '../../../platform/src/config/process-environment.js';
import { StartFailure } from '../start-failure.js';
import { runProgram } from '../supervision/run-program.js';

const ENTRY = fileURLToPath(new URL('../../../../prisma/base/migrate/main.js', import.meta.url));
const WITHIN_MS = 10 * 60_000;

/**
 * @returns the result, in a sentence @throws StartFailure with the problem of the database and
 * its fix
 */
export async function migrateDatabase(env: NodeJS.ProcessEnv): Promise<string> {
  const { ok, output } = await runProgram(process.execPath, [ENTRY], {
    within: WITHIN_MS,
    env: environmentOf('migrate', env),
  });
  if (!ok) throw new StartFailure(output);
  return output;
}
