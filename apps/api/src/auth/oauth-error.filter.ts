import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LOGGER } from '../../../platform/src/logging/logging.module.js';
import type { Logger } from '../../../platform/src/logging/logger.js';
import { errorHeaders, toApiError } from '../http/present-error.js';
import { stateOf } from '../http/request-state.js';
import { UnavailableLog } from '../http/unavailable-log.js';
import { TokenRefused } from './issue-token.js';

interface OAuthError {
  status: number;
  error: string;
  description: string;
}

/** RFC 6749 5.2, with the wording of native-api 3.1. */
const REFUSALS: Record<TokenRefused['reason'], OAuthError> = {
  conflicting_clients: {
    status: 400,
    error: 'invalid_request',
    description: 'The header and the form name different clients.',
  },
  missing_grant_type: {
    status: 400,
    error: 'invalid_request',
    description: 'The grant_type is missing.',
  },
  unsupported_grant_type: {
    status: 400,
    error: 'unsupported_grant_type',
    description: 'Only client_credentials is supported.',
  },
  invalid_scope: {
    status: 400,
    error: 'invalid_scope',
    description: 'The scope is not known, or the key pair may not have it.',
  },
  invalid_client: {
    status: 401,
    error: 'invalid_client',
    description: 'The client could not be authenticated.',
  },
};

/** Responds on `/oauth/token` in the format that standard client libraries expect. */
@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly unavailable: UnavailableLog,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (thrown instanceof TokenRefused) {
      if (thrown.reason === 'invalid_client')
        response.setHeader(
          'WWW-Authenticate',
          thrown.basic ? 'Basic realm="api", charset="UTF-8"' : 'Bearer',
        );
      this.answer(response, REFUSALS[thrown.reason]);
      return;
    }
    const error = toApiError(thrown, 'native', []);
    if (error.status === 503) this.unavailable.report(thrown, request);
    else if (error.status >= 500)
      this.logger.error(
        { err: thrown, request_id: stateOf(request).requestId, error_code: error.code },
        'http.failed',
      );
    for (const [name, value] of Object.entries(errorHeaders(error, [])))
      response.setHeader(name, value);
    // RFC 6749 has a single response for malformed requests; other failures keep their own status.
    const malformed = error.status < 500 && error.status !== 429;
    this.answer(response, {
      status: malformed ? 400 : error.status,
      error: malformed
        ? 'invalid_request'
        : error.status === 500
          ? 'server_error'
          : 'temporarily_unavailable',
      description: error.message,
    });
  }

  private answer(response: Response, { status, error, description }: OAuthError): void {
    response.status(status).json({ error, error_description: description });
  }
}
