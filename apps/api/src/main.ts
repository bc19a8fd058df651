import 'reflect-metadata';
import { readSettings, SettingsError } from '../../platform/src/config/settings.js';
import { createLogger } from '../../platform/src/logging/logger.js';
import { startApi, type RunningApi } from './server/start-api.js';

/** By then the pools are closed; otherwise the process exits anyway. */
const STOP_WITHIN_MS = 14_000;

async function main(): Promise<void> {
  const settings = readSettings(process.env, 'api');
  const logger = createLogger({
    name: 'api',
    level: settings.logLevel,
    format: settings.logFormat,
  });
  process.on('unhandledRejection', (err) => {
    logger.fatal({ err }, 'api.unhandled_rejection');
    process.exit(1);
  });
  let running: RunningApi | undefined;
  let stopping = false;
  const stop = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'api.stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    (running?.close() ?? Promise.resolve()).then(
      () => process.exit(0),
      (err: unknown) => {
        logger.error({ err }, 'api.stop_failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  // The process exits when its supervisor is gone.
  process.on('disconnect', () => stop('disconnect'));
  try {
    running = await startApi({ settings, logger });
  } catch (err) {
    logger.fatal({ err }, 'api.start_failed');
    process.exitCode = 1;
    process.disconnect?.();
    setTimeout(() => process.exit(1), 1_000).unref();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(
    error instanceof SettingsError ? `${error.message}\n` : `${String(error)}\n`,
  );
  process.exit(1);
});
