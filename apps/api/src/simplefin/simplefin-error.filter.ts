import {
  Catch,
  HttpException,
  Inject,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { errorHeaders, toApiError } from '../http/present-error.js';
import { stateOf } from '../http/request-state.js';
import { UnavailableLog } from '../http/unavailable-log.js';

/** A call without a credential that gives access: 403, whatever is wrong with it. */
export class SimplefinForbidden extends HttpException {
  constructor() {
    // Exactly this text: Actual compares it.
    super('Forbidden', 403);
  }
}

/** Turns every failure of a call of the protocol into its status and a line of text. */
@Catch()
export class SimplefinErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly unavailable: UnavailableLog,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (thrown instanceof HttpException && !response.headersSent) {
      sendText(response, thrown.getStatus(), thrown.message);
      return;
    }
    const error = toApiError(thrown, 'native', []);
    if (error.status === 503) this.unavailable.report(thrown, request);
    else if (error.status >= 500)
      this.logger.error(
        { err: thrown, request_id: stateOf(request).requestId, error_code: error.code },
        'simplefin.failed',
      );
    if (response.headersSent) {
      // A truncated response must not look complete.
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(errorHeaders(error, [])))
      response.setHeader(name, value);
    sendText(response, error.status, error.message);
  }
}

export function sendText(response: Response, status: number, text: string): void {
  response.status(status).type('text/plain').send(text);
}
