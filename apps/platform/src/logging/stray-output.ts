import { format } from 'node:util';
import type { Logger } from './logger.js';

/**
 * Redirects other output to the log: warnings of Node, and the output of libraries.
 * `name` is the first part of the log messages.
 */
export function captureStrayOutput(name: string, logger: Logger): void {
  // The listener of Node writes to standard error.
  process.removeAllListeners('warning');
  process.on('warning', (err) => logger.warn({ err }, `${name}.node_warning`));
  const note =
    (level: 'debug' | 'warn') =>
    (...words: unknown[]): void =>
      logger[level]({ text: format(...words) }, `${name}.library_output`);
  const [quiet, loud] = [note('debug'), note('warn')];
  Object.assign(console, { debug: quiet, log: quiet, info: quiet, warn: loud, error: loud });
}
