import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { readSettings, SettingsError } from '../../platform/src/config/settings.js';
import { createLogger } from '../../platform/src/logging/logger.js';
import { NestLogger } from '../../platform/src/logging/nest-logger.js';
import { installRuntime } from './temporal/install-runtime.js';
import { WorkerModule } from './worker.module.js';
import { WorkerProcess } from './worker-process.js';

/** The pools are closed by then, or the process ends anyway. */
const STOP_WITHIN_MS = 14_000;

async function main(): Promise<void> {
  const settings = readSettings(process.env, 'worker');
  const logger = createLogger({
    name: 'worker',
    level: settings.logLevel,
    format: settings.logFormat,
  });
  installRuntime(logger);
  const app = await NestFactory.createApplicationContext(WorkerModule.with(settings, logger), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });

  let stopping = false;
  const stop = (reason: string, status: number): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'worker.stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    app.close().then(
      () => process.exit(status),
      (err: unknown) => {
        logger.error({ err }, 'worker.stop_failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM', 0));
  process.on('SIGINT', () => stop('SIGINT', 0));
  // A supervisor that is gone takes its processes with it.
  process.on('disconnect', () => stop('disconnect', 0));
  process.on('unhandledRejection', (err) => {
    logger.fatal({ err }, 'worker.unhandled_rejection');
    process.exit(1);
  });

  try {
    await app.get(WorkerProcess).run();
  } catch (err) {
    // Recovery is by restart: whoever supervises this process starts it again.
    logger.fatal({ err }, 'worker.failed');
    stop('failure', 1);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(
    error instanceof SettingsError ? `${error.message}\n` : `${String(error)}\n`,
  );
  process.exit(1);
});
