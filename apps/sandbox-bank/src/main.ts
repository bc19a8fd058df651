import { createLogger, logLibraryWords } from './logger.js';
import { readSettings, type SandboxBankSettings } from './settings.js';

async function main(settings: SandboxBankSettings): Promise<void> {
  const logger = createLogger(settings);
  logLibraryWords(logger);
  // imported only now: the OAuth server prints a warning as soon as it is loaded
  const { startSandboxBank } = await import('./sandbox-bank.js');
  const { host, controlHost, fixedNow } = settings;
  const bank = await startSandboxBank(settings, { logger, now: () => fixedNow ?? new Date() });
  const url = addressOf(host, bank.port);
  const controlUrl = addressOf(controlHost, bank.controlPort);
  const { port } = bank;
  logger.info({ host, port, url, control_url: controlUrl }, 'sandbox_bank.listening');
  process.send?.({ kind: 'sandbox_bank.listening', port, url, control_url: controlUrl });

  let stopping = false;
  const stop = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'sandbox_bank.stopping');
    bank.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'sandbox_bank.stop_failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  // a bank whose supervisor has exited must not hold the port
  process.on('disconnect', () => stop('parent is gone'));
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

try {
  await main(readSettings(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
