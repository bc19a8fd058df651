import { constants } from 'node:os';
import { readSettings, SettingsError } from '../../../platform/src/config/settings.js';
import { lineProgress } from '../progress.js';
import { type StandaloneSettings, withPresets } from './standalone-settings.js';
import { findTemporal, type FindTemporalOptions } from '../temporal/find-temporal.js';

let search: Promise<string> | undefined;

/**
 * Begins the search for the Temporal server, unless the service does not need one of its own. A tool
 * does this before it compiles the rest; the service, in the same process, then waits for this search.
 * @returns the path of the program
 */
export function beginSearch(env: NodeJS.ProcessEnv): Promise<string> | undefined {
  const settings = validSettings(env);
  if (settings === undefined || settings.temporalAddress !== undefined) return undefined;
  // The output becomes a log of JSON lines.
  if (settings.logFormat === 'json' && !process.stdout.isTTY) return undefined;
  exitOnSignals();
  search = findTemporal({
    cliPath: settings.temporalCliPath,
    env,
    progress: lineProgress(process.stdout),
  });
  // The service reports it once it needs the program.
  search.catch(() => undefined);
  return search;
}

/** The result of the search that a tool has begun, or of one that begins now. */
export function searchTemporal(options: FindTemporalOptions): Promise<string> {
  return search ?? findTemporal(options);
}

/** Undefined where the service will refuse to start. */
function validSettings(env: NodeJS.ProcessEnv): StandaloneSettings | undefined {
  try {
    return readSettings(withPresets(env), 'standalone');
  } catch (error) {
    if (error instanceof SettingsError) return undefined;
    throw error;
  }
}

/** By default a signal ends the process without its `exit` handlers, which end the search. */
function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.prependListener(signal, () => {
      // The service, once it runs, has a handler of its own.
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
}
