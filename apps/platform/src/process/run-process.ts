import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { captureStrayOutput } from '../logging/stray-output.js';
import { reportStartFailure } from './process-logger.js';

export interface ProcessDefinition<Settings> {
  /** The first part of its log messages. */
  name: string;
  /** Reads and checks the settings. An error is reported on stderr and ends the process with status 1. */
  load(env: NodeJS.ProcessEnv): { settings: Settings; logger: Logger };
  /**
   * Time for which the process continues after SIGTERM once it has announced its stop, in milliseconds; missing: it stops
   * immediately.
   */
  stopDelayMs?(settings: Settings): number;
  /** Starts the parts in order. A rejection is logged as `start_failed` and ends the process with status 1. */
  start(context: ProcessContext<Settings>): Promise<void>;
}

export interface ProcessContext<Settings> {
  settings: Settings;
  logger: Logger;
  /** Registers an announcement, before the delay, that the process is about to stop. */
  onStopRequested(announce: () => void): void;
  /** Registers the stop of a started part. Parts stop in reverse order. */
  onStop(stop: () => Promise<unknown>): void;
  /** Stops the process with status 1: it cannot continue, and its supervisor starts it again. */
  fail(error: unknown): void;
}

/** Every part has stopped by then, counted from the end of the delay, or the process exits without waiting for it. */
const STOP_WITHIN_MS = 14_000;

/** Runs a process until a signal, the end of its supervisor or a failure stops it. */
export async function runProcess<Settings>({
  name,
  load,
  stopDelayMs,
  start,
}: ProcessDefinition<Settings>): Promise<void> {
  const { settings, logger } = loadOrExit(name, load);
  captureStrayOutput(name, logger);
  const announcements: (() => void)[] = [];
  const stops: (() => Promise<unknown>)[] = [];
  const endDelay = new AbortController();
  let stopping = false;

  /** Load balancers notice in the meantime. A second signal ends the delay. */
  const announceStop = async (): Promise<void> => {
    const delayMs = stopDelayMs?.(settings) ?? 0;
    if (announcements.length === 0 || delayMs === 0) return;
    for (const announce of announcements) announce();
    await pause(delayMs, undefined, { signal: endDelay.signal }).catch(() => undefined);
  };
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
    if (stopping) return endDelay.abort();
    stopping = true;
    logger.info({ reason }, `${name}.stopping`);
    const announced = reason === 'SIGTERM' ? announceStop() : Promise.resolve();
    void announced.then(() => exitAfterStop(status));
  };

  process.on('unhandledRejection', (err) => {
    logger.fatal({ err }, `${name}.unhandled_rejection`);
    process.exit(1);
  });
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, `${name}.uncaught_exception`);
    process.exit(1);
  });
  // The channel to the supervisor closes when the supervisor dies.
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => stop(event, 0));

  try {
    await start({
      settings,
      logger,
      onStopRequested: (announce) => announcements.push(announce),
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

function loadOrExit<Loaded>(name: string, load: (env: NodeJS.ProcessEnv) => Loaded): Loaded {
  try {
    return load(process.env);
  } catch (error) {
    reportStartFailure(name, error);
    process.exit(1);
  }
}
