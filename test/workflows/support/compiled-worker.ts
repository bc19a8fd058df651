import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { readSettings } from '../../../apps/platform/src/config/settings.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import type { Adapter } from '../../../providers/adapter.js';

// Compiled, because Temporal loads the failure converter of a worker as JavaScript.
const DIST = new URL('../../../dist/', import.meta.url).href;

const { WorkerModule } = (await import(
  `${DIST}apps/worker/src/worker.module.js`
)) as typeof import('../../../apps/worker/src/worker.module.js');
const { WorkerProcess } = (await import(
  `${DIST}apps/worker/src/worker-process.js`
)) as typeof import('../../../apps/worker/src/worker-process.js');
export const { KeysRefused } = (await import(
  `${DIST}domain/errors/provider-failure.js`
)) as typeof import('../../../domain/errors/provider-failure.js');

/** A worker of this process that behaves like one of its own. */
export interface RunningWorker {
  /** All lines so far. */
  log(): string;
  /** The complete lines with this message. */
  logged(message: string): Record<string, unknown>[];
  /** Rejects when it ends with an error. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export async function startWorkerInProcess(
  env: Record<string, string>,
  adapters: readonly Adapter[],
): Promise<RunningWorker> {
  let log = '';
  const logger = createLogger({
    name: 'worker',
    level: 'debug',
    format: 'json',
    destination: { write: (line: string) => (log += line) },
  });
  const settings = { ...readSettings(env, 'worker'), workerMetricsPort: 0 };
  const app = await NestFactory.createApplicationContext(
    WorkerModule.with(settings, logger, adapters),
    { logger: false },
  );
  const ended = app.get(WorkerProcess).run();
  ended.catch(() => undefined);
  return {
    log: () => log,
    logged: (message) => linesOf(log, message),
    ended,
    stop: async () => {
      await app.close();
      await ended;
    },
  };
}

/** The complete lines of a log with this message. */
export const linesOf = (log: string, message: string): Record<string, unknown>[] =>
  log
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message);
