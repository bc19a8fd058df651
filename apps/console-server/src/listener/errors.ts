import type { NextFunction, Request, Response } from 'express';
import { z } from 'zod';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { CommandFailure } from '../../../../clients/terminal/src/command-failure.js';
import { ConsoleFailure } from '../access/console-failure.js';
import { OperationRefused } from '../operations/operation.js';

/** Presents every failure; what the caller did not cause is logged, and named by nothing else. */
export function errors(logger: Logger) {
  // Express recognizes a handler of errors by its four parameters.
  return (thrown: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const { status, code, message, errors: issues } = failureOf(thrown);
    // Log: the method alone, as a path may hold ids.
    if (status >= 500) logger.error({ err: thrown, method: request.method }, 'console.failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response
      .status(status)
      .setHeader('cache-control', 'no-store')
      .json({
        error_code: code,
        error_message: message,
        ...(issues.length === 0 ? {} : { errors: issues }),
      });
  };
}

function failureOf(thrown: unknown): ConsoleFailure {
  if (thrown instanceof ConsoleFailure) return thrown;
  if (thrown instanceof OperationRefused)
    return new ConsoleFailure(thrown.status, thrown.code, thrown.message);
  if (thrown instanceof CommandFailure)
    return new ConsoleFailure(409, 'console.refused', thrown.message);
  if (thrown instanceof z.ZodError)
    return new ConsoleFailure(
      422,
      'console.wrong_value',
      'A value is wrong.',
      thrown.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
    );
  const status = (thrown as { status?: unknown }).status;
  if (thrown instanceof Error && typeof status === 'number' && status >= 400 && status < 500)
    return new ConsoleFailure(status, 'console.unreadable', 'The call cannot be read.');
  return new ConsoleFailure(500, 'console.internal', 'The console failed: see its log.');
}
