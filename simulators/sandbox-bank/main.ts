import '../../apps/platform/src/process/supported-node.js';
import { readSettings } from '../../apps/platform/src/config/settings.js';
import type { Logger } from '../../apps/platform/src/logging/logger.js';
import { createProcessLogger } from '../../apps/platform/src/process/process-logger.js';
import { runProcess } from '../../apps/platform/src/process/run-process.js';

await runProcess({
  name: 'sandbox_bank',
  load: (env) => {
    const settings = readSettings(env, 'sandbox-bank');
    const { logLevel: level, logFormat: format } = settings;
    return { settings, logger: createProcessLogger({ name: 'sandbox_bank', level, format }) };
  },
  start: async ({ settings, logger, onStop }) => {
    logLibraryWords(logger);
    // Imported late: the OAuth server writes to the console as soon as it is loaded.
    const { startSandboxBank } = await import('./sandbox-bank.js');
    onStop(await startSandboxBank(settings, logger));
    const { sandboxBankHost: host, sandboxBankPort: port } = settings;
    const url = addressOf(host, port);
    const controlUrl = addressOf(settings.sandboxBankControlHost, settings.sandboxBankControlPort);
    logger.info({ host, port, url, control_url: controlUrl }, 'sandbox_bank.listening');
    process.send?.({ kind: 'sandbox_bank.listening', port, url, control_url: controlUrl });
  },
});

/**
 * Redirects the terminal output of libraries to the log: the OAuth server warns about the
 * Node version.
 */
function logLibraryWords(logger: Logger): void {
  const note = (...words: unknown[]): void =>
    logger.debug({ words: words.map(String) }, 'sandbox_bank.library_said');
  Object.assign(console, { info: note, warn: note });
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
