import { fileURLToPath } from 'node:url';
import { StartFailure } from './start-failure.js';
import { runProgram } from './supervision/run-program.js';

const ENTRY = fileURLToPath(new URL('../../../prisma/migrate/main.js', import.meta.url));
const WITHIN_MS = 10 * 60_000;

/** @returns what was done, in a sentence @throws StartFailure that says what is wrong with the database and what to do */
export async function migrateDatabase(databaseUrl: string): Promise<string> {
  const { ok, output } = await runProgram(process.execPath, [ENTRY], { within: WITHIN_MS, env: { ...process.env, DATABASE_URL: databaseUrl } });
  if (!ok) throw new StartFailure(output);
  return output;
}
