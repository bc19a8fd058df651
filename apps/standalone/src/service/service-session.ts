import { readSettings, SettingsError } from '../../../platform/src/config/settings.js';
import { captureStrayOutput } from '../../../platform/src/logging/stray-output.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import {
  createProcessLogger,
  reportStartFailure,
} from '../../../platform/src/process/process-logger.js';
import type { StandaloneDescription } from './description.js';
import type { PortPolicy } from '../ports.js';
import { createProgress, logProgress } from '../progress.js';
import { Standalone } from './standalone.js';
import { withPresets } from './standalone-settings.js';
import { StartFailure } from '../start-failure.js';

export interface SessionOptions {
  env: NodeJS.ProcessEnv;
  ports: PortPolicy;
  output: 'inherit' | 'files';
  /** Level of the supervisor's own log lines; undefined: from the settings. */
  logLevel?: string;
  /**
   * Runs once everything is ready. When it returns a status, the service stops with it; otherwise
   * it keeps running. `isForPeople` is false when standard output is a log of JSON lines.
   */
  whenReady: (
    description: StandaloneDescription,
    isForPeople: boolean,
  ) => Promise<number | undefined>;
  /** After everything has stopped. */
  whenStopped?: (status: number) => void;
}

const SAME_SIGNAL_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the service in the foreground of this process until a signal ends it. Never returns. */
export async function runServiceSession(options: SessionOptions): Promise<never> {
  let standalone: Standalone | undefined;
  /** Used instead of text for a person when standard output is a log of JSON lines. */
  let log: Logger | undefined;
  let askedAt: number | undefined;
  const finish = async (status: number): Promise<never> => {
    await standalone?.stop();
    options.whenStopped?.(status);
    process.exit(status);
  };
  const stopOnSignal = (signal: NodeJS.Signals) => {
    // Ctrl-C arrives twice at once: from the terminal, and from npm, which forwards it. A later
    // signal means the user does not want to wait.
    if (askedAt !== undefined && Date.now() - askedAt > SAME_SIGNAL_MS) process.exit(1);
    if (askedAt !== undefined) return;
    askedAt = Date.now();
    if (log === undefined) process.stdout.write('\nStopping …\n');
    else log.info({ reason: signal }, 'standalone.stopping');
    void finish(0);
  };
  for (const signal of SIGNALS) process.on(signal, stopOnSignal);
  process.once('exit', () => standalone?.kill());
  try {
    const env = withPresets(options.env);
    const settings = readSettings(env, 'standalone');
    const logger = createProcessLogger({
      name: 'standalone',
      level: options.logLevel ?? settings.logLevel,
      format: settings.logFormat,
    });
    const isForPeople =
      settings.logFormat === 'pretty' || options.output === 'files' || process.stdout.isTTY;
    if (!isForPeople) {
      log = logger;
      captureStrayOutput('standalone', logger);
    }
    standalone = new Standalone({
      env,
      ports: options.ports,
      output: isQuiet(options, settings.logFormat) ? 'quiet' : options.output,
      logger,
      progress: log === undefined ? createProgress(process.stdout) : logProgress(log),
    });
    const description = await standalone.start();
    // Log: with `LOG_FORMAT=json`, outside a terminal.
    log?.info({ url: description.base_url }, 'standalone.ready');
    const status = await options.whenReady(description, isForPeople);
    if (status !== undefined) return await finish(status);
  } catch (error) {
    // A stop during the start makes the start fail, too; that is not an error.
    if (askedAt === undefined) {
      if (log === undefined) process.stderr.write(`\n${describeFailure(error)}\n`);
      else reportStartFailure('standalone', error, describeFailure(error));
      return finish(1);
    }
  }
  return new Promise<never>(() => undefined);
}

/** A level that is set shows all of its lines. */
const isQuiet = ({ env, output }: SessionOptions, format: string): boolean =>
  output === 'inherit' && format === 'pretty' && (env['LOG_LEVEL'] ?? '') === '';

function describeFailure(error: unknown): string {
  if (error instanceof StartFailure || error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
