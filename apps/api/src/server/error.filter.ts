import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { errorHeaders, toApiError } from '../http/present-error.js';
import { RouteTable } from '../http/route-table.js';
import { stateOf } from '../http/request-state.js';

/** The one place where a failure becomes an answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly routes: RouteTable,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const allowed = this.routes.methodsOf(request.path);
    const error = toApiError(
      thrown,
      request.path.startsWith('/connect/api/') ? 'connect' : 'native',
      allowed,
    );
    if (error.status >= 500 && !(thrown instanceof ApiError))
      this.logger.error(
        { err: thrown, request_id: stateOf(request).requestId, error_code: error.code },
        'http.failed',
      );
    if (response.headersSent) {
      // Half an answer must not look like a whole one.
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(errorHeaders(error, allowed))) {
      if (!response.hasHeader(name)) response.setHeader(name, value);
    }
    response.setHeader('Cache-Control', 'no-store');
    // What the route said of its answer is not true of this one.
    response.removeHeader('Content-Type');
    response.status(error.status).json(error.body());
  }
}
