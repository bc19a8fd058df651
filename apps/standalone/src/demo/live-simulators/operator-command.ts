import { fileURLToPath } from 'node:url';
import { environmentOf } from '../../../../platform/src/config/process-environment.js';
import { runProgram } from '../../supervision/run-program.js';
import { CallFailure } from '../http-calls.js';

const CLI = fileURLToPath(new URL('../../../../cli/src/main.js', import.meta.url));
const WITHIN_MS = 120_000;

/** Runs a command as `npm run cli --` does. @returns what it printed */
export type RunCommand = (...args: string[]) => Promise<string>;

/** Commands for the service of a data folder. They throw CallFailure with what was printed. */
export const commandsFor =
  (dataDir: string): RunCommand =>
  async (...args) => {
    const env = { ...environmentOf('cli', process.env), DATA_DIR: dataDir };
    const { ok, output } = await runProgram(process.execPath, [CLI, ...args], {
      within: WITHIN_MS,
      env,
    });
    if (!ok) throw new CallFailure(`${args.slice(0, 3).join(' ')}: ${output}`);
    return output;
  };
