import { homedir } from 'node:os';
import { join } from 'node:path';
import { TEMPORAL_CLI_VERSION } from './server-settings.js';

/** The folder of the binary for all projects of this user. */
export function temporalCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base =
    env['XDG_CACHE_HOME'] ||
    (process.platform === 'darwin' ? join(homedir(), 'Library/Caches') : join(homedir(), '.cache'));
  return join(base, 'tributary', 'temporal', TEMPORAL_CLI_VERSION);
}

export const TEMPORAL_PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';

/** The path of the program, or the reason that an option is unavailable. */
export type TemporalCandidate = { path: string } | { because: string };
