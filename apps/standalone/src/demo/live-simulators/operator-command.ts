import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { environmentOf } from '../../../../platform/src/config/process-environment.js';
import { CallFailure } from '../http-calls.js';

const CLI = fileURLToPath(new URL('../../../../operator/src/main.js', import.meta.url));
const WITHIN_MS = 120_000;

/** Runs a command as `npm run operator --` does. @returns its output, without the last line end */
export type RunCommand = (...args: string[]) => Promise<string>;

/** Commands for the service of a data folder. They throw CallFailure with the text for a person. */
export const commandsFor =
  (dataDir: string): RunCommand =>
  async (...args) => {
    const env = { ...environmentOf('operator', process.env), DATA_DIR: dataDir };
    try {
      const command = [CLI, ...args];
      const { stdout } = await promisify(execFile)(process.execPath, command, {
        env,
        timeout: WITHIN_MS,
      });
      return stdout.trimEnd();
    } catch (error) {
      const { stderr = '', message } = error as Error & { stderr?: string };
      throw new CallFailure(`${args.slice(0, 3).join(' ')}: ${stderr.trim() || message}`);
    }
  };
