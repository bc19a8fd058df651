import { readSettings, SettingsError } from '../../platform/src/config/settings.js';
import { openContext } from '../../platform/src/database/open-context.js';
import { createLogger } from '../../platform/src/logging/logger.js';
import { WebhookProcess } from './webhook-process.js';

/** The attempts in flight have ended by then, or the process ends anyway. */
const STOP_WITHIN_MS = 14_000;
/** One listens; signing keys, and webhooks of the Plaid layer, have the others. Claims and outcomes have the hot pool. */
const DATABASE_CONNECTIONS = 5;

async function main(): Promise<void> {
  const settings = readSettings(process.env, 'webhooks');
  const logger = createLogger({
    name: 'webhooks',
    level: settings.logLevel,
    format: settings.logFormat,
  });
  const ctx = openContext({
    url: settings.databaseUrl,
    name: 'tributary-webhooks',
    maxConnections: DATABASE_CONNECTIONS,
    masterKeys: settings.masterKeys,
    logger,
  });
  const webhooks = new WebhookProcess(settings, logger, ctx);

  let stopping = false;
  const stop = (reason: string, status: number): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'webhooks.stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    webhooks.stop().then(
      () => process.exit(status),
      (err: unknown) => {
        logger.error({ err }, 'webhooks.stop_failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM', 0));
  process.on('SIGINT', () => stop('SIGINT', 0));
  // A supervisor that is gone takes its processes with it.
  process.on('disconnect', () => stop('disconnect', 0));
  process.on('unhandledRejection', (err) => {
    logger.fatal({ err }, 'webhooks.unhandled_rejection');
    process.exit(1);
  });

  try {
    await webhooks.start();
  } catch (err) {
    // Recovery is by restart: the supervisor starts this process again.
    logger.fatal({ err }, 'webhooks.failed');
    stop('failure', 1);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(
    error instanceof SettingsError ? `${error.message}\n` : `${String(error)}\n`,
  );
  process.exit(1);
});
