import { createLogger, type Logger, type LoggerOptions } from '../logging/logger.js';
import { buildInfo } from '../build/build-info.js';

/** The logger of a process: each of its lines names the service and the build. */
export function createProcessLogger(options: Omit<LoggerOptions, 'build'>): Logger {
  return createLogger({ ...options, build: buildInfo() });
}

/**
 * Reports why a process cannot start before its settings are known: as text in a
 * terminal, otherwise as a line of the log.
 */
export function reportStartFailure(name: string, error: unknown, reason = messageOf(error)): void {
  if (process.stderr.isTTY || process.env['LOG_FORMAT'] === 'pretty') {
    process.stderr.write(`${reason}\n`);
    return;
  }
  const { stderr: destination } = process;
  createProcessLogger({ name, level: 'fatal', format: 'json', destination }).fatal(
    { reason },
    `${name}.start_failed`,
  );
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
