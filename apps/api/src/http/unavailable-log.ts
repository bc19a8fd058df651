import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import { OnceAMinute } from '../../../platform/src/logging/once-a-minute.js';
import { stateOf } from './request-state.js';

const MAX_DEPTH = 10;

/** The causes of 503 responses: a line for each cause, at most once a minute. */
@Injectable()
export class UnavailableLog {
  private readonly lines = new OnceAMinute();

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /** @param thrown the error from the handler of the call */
  report(thrown: unknown, request: Request): void {
    const error = thrown instanceof ApiError ? (thrown.details.cause ?? thrown) : thrown;
    const cause = causeOf(error);
    if (!this.lines.lets(cause)) return;
    const { requestId, route } = stateOf(request);
    // Log: the cause of a 503 response.
    this.logger.warn(
      { cause, route, request_id: requestId, ...(error instanceof Error ? { err: error } : {}) },
      'http.unavailable',
    );
  }
}

/** The innermost text: a client of a database or of Temporal wraps the message of its server. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  let text = error.name;
  let link: unknown = error;
  for (let depth = 0; depth < MAX_DEPTH && link instanceof Error; depth += 1) {
    const { code, message } = link as Error & { code?: unknown };
    text = message.trim().split('\n').at(-1) || (typeof code === 'string' ? code : text);
    link = link.cause;
  }
  return text;
}
