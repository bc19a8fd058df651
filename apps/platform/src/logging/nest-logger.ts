import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger.js';

/** Sends Nest's own lines (start, routes, unhandled errors) through the redacting logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.info(fieldsOf(message, rest), 'nest.log');
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(fieldsOf(message, rest), 'nest.error');
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn(fieldsOf(message, rest), 'nest.warn');
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(fieldsOf(message, rest), 'nest.debug');
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace(fieldsOf(message, rest), 'nest.verbose');
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal(fieldsOf(message, rest), 'nest.fatal');
  }
}

/** Nest passes the context as the last text argument, and for errors the stack before it. */
function fieldsOf(message: unknown, rest: readonly unknown[]): Record<string, unknown> {
  const texts = rest.filter((entry) => typeof entry === 'string');
  const context = texts.at(-1);
  const stack = texts.length > 1 ? texts[0] : undefined;
  const error = [message, ...rest].find((entry) => entry instanceof Error);
  return {
    ...(context === undefined ? {} : { context }),
    ...(error === undefined
      ? { text: typeof message === 'string' ? message : JSON.stringify(message) }
      : { err: error }),
    ...(stack === undefined ? {} : { stack }),
  };
}
