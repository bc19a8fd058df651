import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Progress } from '../progress.js';
import { StartFailure } from '../start-failure.js';
import { buildTemporal } from './build-temporal.js';
import { downloadTemporal } from './download-temporal.js';
import { runProgram } from '../supervision/run-program.js';
import { temporalCacheFolder, TEMPORAL_PROGRAM, type TemporalCandidate } from './temporal-cache.js';

export interface FindTemporalOptions {
  /** TEMPORAL_CLI_PATH: when set, no other option is tried. */
  cliPath: string | undefined;
  env: NodeJS.ProcessEnv;
  progress: Progress;
}

/**
 * Finds, downloads or builds the `temporal` program, in this order. @throws StartFailure that lists
 * all options
 */
export async function findTemporal({
  cliPath,
  env,
  progress,
}: FindTemporalOptions): Promise<string> {
  if (cliPath !== undefined) {
    const found = await usable(cliPath);
    if ('path' in found) return found.path;
    throw new StartFailure(
      `TEMPORAL_CLI_PATH names ${cliPath}, which ${found.because}. Correct it, or leave it empty to have one found.`,
    );
  }
  const cache = temporalCacheFolder(env);
  return firstAvailable([
    ['on PATH', () => onPath(env)],
    [`in ${cache}`, () => usable(join(cache, TEMPORAL_PROGRAM))],
    ['download', () => downloadTemporal(cache, progress)],
    ['build with Go', () => buildTemporal(cache, env, progress)],
  ]);
}

/**
 * Tries one option after the other. @throws StartFailure that lists the cause of each failure, and
 * the remedy
 */
export async function firstAvailable(
  candidates: readonly (readonly [string, () => Promise<TemporalCandidate>])[],
): Promise<string> {
  const closed: string[] = [];
  for (const [name, find] of candidates) {
    const found = await find();
    if ('path' in found) return found.path;
    closed.push(`  - ${name}: ${found.because}`);
  }
  throw new StartFailure(
    [
      'No Temporal server was found, and none could be made:',
      ...closed,
      'Do one of these: name a running server in TEMPORAL_ADDRESS; put the Temporal CLI on PATH or its path into TEMPORAL_CLI_PATH;',
      'allow the download from temporal.download; or install Go.',
    ].join('\n'),
  );
}

export async function onPath(env: NodeJS.ProcessEnv): Promise<TemporalCandidate> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders
    .map((folder) => join(folder, TEMPORAL_PROGRAM))
    .filter((path) => existsSync(path));
  for (const path of found) {
    const candidate = await usable(path);
    if ('path' in candidate) return candidate;
  }
  return {
    because:
      found.length === 0
        ? 'no temporal there'
        : `${found.join(', ')} cannot run a development server`,
  };
}

/** Other programs have the same name, and old versions lack the development server. */
export async function usable(path: string): Promise<TemporalCandidate> {
  if (!existsSync(path)) return { because: 'is not there' };
  const { ok } = await runProgram(path, ['server', 'start-dev', '--help'], { within: 20_000 });
  return ok ? { path } : { because: 'cannot run a development server' };
}
