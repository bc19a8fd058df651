import { Global, Inject, Injectable, Module, type ArgumentsHost } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import type { ErrorForm } from './protocol.js';
import { stateOf } from './request-state.js';
import { UnavailableLog } from './unavailable-log.js';

/** Turns a failure into a line of the log, where it is one of the service, and a response. */
@Injectable()
export class Failures {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly unavailable: UnavailableLog,
  ) {}

  respond(thrown: unknown, host: ArgumentsHost, formOf: (request: Request) => ErrorForm): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const form = formOf(request);
    const error = form.toError(thrown, request);
    if (error.status === 503) this.unavailable.report(thrown, request);
    else if (error.status >= 500 && thrown !== error)
      form.log(this.logger, {
        err: thrown,
        request_id: stateOf(request).requestId,
        error_code: error.code,
      });
    // A truncated response must not look complete.
    if (response.headersSent) response.destroy();
    else form.send(error, request, response);
  }
}

/** Global, because error filters belong to the module of their controller. */
@Global()
@Module({ providers: [Failures, UnavailableLog], exports: [Failures, UnavailableLog] })
export class FailuresModule {}
