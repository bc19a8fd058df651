import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { Failures } from '../http/failures.js';
import { logFailure } from '../http/native-errors.js';
import { errorHeaders, toApiError } from '../http/present-error.js';
import type { ErrorForm, NamedError } from '../http/protocol.js';
import { TokenRefused } from './issue-token.js';

interface OAuthError {
  status: number;
  error: string;
  description: string;
}

interface OAuthFailure extends OAuthError, NamedError {
  headers: Record<string, string>;
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
    description: 'The scope is unknown, or not allowed for this key pair.',
  },
  invalid_client: {
    status: 401,
    error: 'invalid_client',
    description: 'The client could not be authenticated.',
  },
};

/** The format that standard client libraries expect. */
const OAUTH_ERRORS: ErrorForm<OAuthFailure> = {
  toError(thrown): OAuthFailure {
    if (thrown instanceof TokenRefused) {
      const challenge = thrown.basic ? 'Basic realm="api", charset="UTF-8"' : 'Bearer';
      return {
        ...REFUSALS[thrown.reason],
        code: thrown.reason,
        headers: thrown.reason === 'invalid_client' ? { 'WWW-Authenticate': challenge } : {},
      };
    }
    const error = toApiError(thrown, 'native', []);
    // RFC 6749 has a single response for malformed requests; other failures keep their own status.
    const malformed = error.status < 500 && error.status !== 429;
    return {
      status: malformed ? 400 : error.status,
      code: error.code,
      error: malformed
        ? 'invalid_request'
        : error.status === 500
          ? 'server_error'
          : 'temporarily_unavailable',
      description: error.message,
      headers: errorHeaders(error, []),
    };
  },
  send({ status, error, description, headers }, _request, response) {
    response.setHeaders(new Map(Object.entries(headers)));
    response.status(status).json({ error, error_description: description });
  },
  log: logFailure,
};

/** Responds so on `/oauth/token`. */
@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  constructor(private readonly failures: Failures) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    this.failures.respond(thrown, host, () => OAUTH_ERRORS);
  }
}
