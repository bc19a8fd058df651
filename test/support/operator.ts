import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ENTRY = fileURLToPath(new URL('../../dist/apps/cli/src/main.js', import.meta.url));

/** Runs an operator command against the standalone of a data folder and reads what it printed with `--json`. */
export async function operate<T>(dataDir: string, ...args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [ENTRY, ...args, '--json'], { env: { PATH: process.env['PATH'], DATA_DIR: dataDir } });
  return JSON.parse(stdout) as T;
}
