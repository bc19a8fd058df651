import { pino, type Logger } from 'pino';
import { PinoPretty } from 'pino-pretty';
import type { SandboxBankSettings } from './settings.js';

/** JSON lines on stdout, or readable ones for a person at a terminal. */
export function createLogger({ logLevel, logFormat }: Pick<SandboxBankSettings, 'logLevel' | 'logFormat'>): Logger {
  const options = { level: logLevel, base: { process: 'sandbox-bank' } };
  return logFormat === 'pretty' ? pino(options, PinoPretty({ colorize: true, sync: true })) : pino(options);
}
