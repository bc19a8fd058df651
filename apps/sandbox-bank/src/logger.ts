import { pino, type Logger } from 'pino';
import { PinoPretty } from 'pino-pretty';
import type { SandboxBankSettings } from './settings.js';

/** JSON lines on stdout, or readable ones for a person at a terminal. */
export function createLogger({ logLevel, logFormat }: Pick<SandboxBankSettings, 'logLevel' | 'logFormat'>): Logger {
  const options = { level: logLevel, base: { process: 'sandbox-bank' } };
  return logFormat === 'pretty' ? pino(options, PinoPretty({ colorize: true, sync: true })) : pino(options);
}

/** What libraries would write to the terminal goes to the log: the OAuth server would prefer a newer Node, and says so. */
export function logLibraryWords(logger: Logger): void {
  const note = (...words: unknown[]): void => logger.debug({ words: words.map(String) }, 'sandbox_bank.library_said');
  Object.assign(console, { info: note, warn: note });
}
