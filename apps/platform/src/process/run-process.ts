import type { Logger } from 'pino';

export interface ProcessDefinition<Settings> {
  /** The first part of its log messages. */
  name: string;
  /** Reads and checks the settings. What it throws is written to stderr and ends the process with status 1. */
  load(env: NodeJS.ProcessEnv): { settings: Settings; logger: Logger };
  /** Starts the parts in order. A rejection is logged as `start_failed` and ends the process with status 1. */
  start(context: ProcessContext<Settings>): Promise<void>;
}

export interface ProcessContext<Settings> {
  settings: Settings;
  logger: Logger;
  /** Registers how to stop a part that has started. Parts stop in reverse order. */
  onStop(stop: () => Promise<unknown>): void;
  /** Stops the process with status 1: it cannot continue, and its supervisor starts it again. */
  fail(error: unknown): void;
}

/** Every part has stopped by then, or the process exits without waiting for it. */
const STOP_WITHIN_MS = 14_000;

/** Runs a process until a signal, the end of its supervisor or a failure stops it. */
export async function runProcess<Settings>({
  name,
  load,
  start,
}: ProcessDefinition<Settings>): Promise<void> {
  const { settings, logger } = loadOrExit(load);
  const stops: (() => Promise<unknown>)[] = [];
  let stopping = false;

  const exitAfterStop = async (status: number): Promise<void> => {
    stopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    try {
      for (const stop of stops.reverse()) await stop();
    } catch (err) {
      logger.error({ err }, `${name}.stop_failed`);
      process.exit(1);
    }
    process.exit(status);
  };
  const stop = (reason: string, status: number): void => {
    if (stopping) return;
    logger.info({ reason }, `${name}.stopping`);
    void exitAfterStop(status);
  };

  process.on('unhandledRejection', (err) => {
    logger.fatal({ err }, `${name}.unhandled_rejection`);
    process.exit(1);
  });
  // The channel to the supervisor closes when the supervisor dies.
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => stop(event, 0));

  try {
    await start({
      settings,
      logger,
      onStop: (step) => stops.push(step),
      fail: (err) => {
        logger.fatal({ err }, `${name}.failed`);
        stop('failure', 1);
      },
    });
  } catch (err) {
    if (stopping) return;
    logger.fatal({ err }, `${name}.start_failed`);
    await exitAfterStop(1);
  }
}

function loadOrExit<Loaded>(load: (env: NodeJS.ProcessEnv) => Loaded): Loaded {
  try {
    return load(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
