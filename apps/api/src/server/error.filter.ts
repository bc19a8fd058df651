import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiError } from '../../../../domain/errors/api-errors.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { errorHeaders, toApiError } from '../http/present-error.js';
import { RouteTable } from '../http/route-table.js';
import { stateOf } from '../http/request-state.js';
import { UnavailableLog } from '../http/unavailable-log.js';

/** The only place where a failure becomes a response. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly unavailable: UnavailableLog,
    private readonly routes: RouteTable,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
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
    if (error.status === 503) this.unavailable.report(thrown, request);
    else if (error.status >= 500 && !(thrown instanceof ApiError))
      this.logger.error(
        { err: thrown, request_id: stateOf(request).requestId, error_code: error.code },
        'http.failed',
      );
    if (response.headersSent) {
      // A truncated response must not look complete.
      response.destroy();
      return;
    }
    for (const [name, value] of Object.entries(errorHeaders(error, allowed))) {
      if (!response.hasHeader(name)) response.setHeader(name, value);
    }
    response.setHeader('Cache-Control', 'no-store');
    // The headers the route set describe its success response, not this error.
    response.removeHeader('Content-Type');
    response.status(error.status).json(error.body(this.settings.baseUrl));
  }
}
