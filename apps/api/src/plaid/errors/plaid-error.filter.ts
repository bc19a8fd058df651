import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import { LOGGER } from '../../../../platform/src/logging/logging.module.js';
import type { Logger } from '../../../../platform/src/logging/logger.js';
import { stateOf } from '../../http/request-state.js';
import { UnavailableLog } from '../../http/unavailable-log.js';
import type { PlaidError } from './plaid-error.js';
import { toPlaidError } from './to-plaid-error.js';
import { sendPlaidError } from './send-plaid-error.js';

/** Turns every failure of these calls into an error response. */
@Catch()
export class PlaidErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly unavailable: UnavailableLog,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const error: PlaidError = toPlaidError(thrown);
    if (error.status === 503) this.unavailable.report(thrown, request);
    else if (error.status >= 500 && thrown !== error)
      this.logger.error(
        { err: thrown, request_id: stateOf(request).requestId, error_code: error.code },
        'plaid.failed',
      );
    if (response.headersSent) {
      // A truncated response must not look complete.
      response.destroy();
      return;
    }
    sendPlaidError(response, error, {
      requestId: stateOf(request).requestId,
      baseUrl: this.settings.baseUrl,
    });
  }
}
