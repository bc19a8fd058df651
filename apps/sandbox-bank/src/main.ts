import { runProcess } from '../../platform/src/process/run-process.js';
import { createLogger, logLibraryWords } from './logger.js';
import { readSettings } from './settings.js';

await runProcess({
  name: 'sandbox_bank',
  load: (env) => {
    const settings = readSettings(env);
    return { settings, logger: createLogger(settings) };
  },
  start: async ({ settings, logger, onStop }) => {
    logLibraryWords(logger);
    // Imported late: the OAuth server writes to the console as soon as it is loaded.
    const { startSandboxBank } = await import('./sandbox-bank.js');
    const { host, controlHost, fixedNow } = settings;
    const bank = await startSandboxBank(settings, {
      logger,
      now: () => fixedNow ?? new Date(),
    }).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      throw error;
    });
    onStop(() => bank.close());
    const url = addressOf(host, bank.port);
    const controlUrl = addressOf(controlHost, bank.controlPort);
    const { port } = bank;
    logger.info({ host, port, url, control_url: controlUrl }, 'sandbox_bank.listening');
    process.send?.({ kind: 'sandbox_bank.listening', port, url, control_url: controlUrl });
  },
});

function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
