import { pino, type Logger } from 'pino';
import { PinoPretty } from 'pino-pretty';
import type { SandboxBankSettings } from './settings.js';

/** JSON lines on stdout, or readable ones for a person at a terminal. */
export function createLogger({
  logLevel,
  logFormat,
}: Pick<SandboxBankSettings, 'logLevel' | 'logFormat'>): Logger {
  const options = { name: 'sandbox_bank', level: logLevel, base: { name: 'sandbox_bank' } };
  if (logFormat === 'json') return pino(options);
  return pino(
    options,
    PinoPretty({
      colorize: process.stdout.isTTY,
      sync: true,
      ignore: 'pid,hostname',
      translateTime: 'SYS:HH:MM:ss.l',
      singleLine: true,
    }),
  );
}

/**
 * Sends to the log what libraries would print to the terminal: the OAuth server warns about the
 * Node version.
 */
export function logLibraryWords(logger: Logger): void {
  const note = (...words: unknown[]): void =>
    logger.debug({ words: words.map(String) }, 'sandbox_bank.library_said');
  Object.assign(console, { info: note, warn: note });
}
