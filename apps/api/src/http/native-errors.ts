import type { ApiError } from '../../../../domain/errors/api-errors.js';
import type { ErrorForm } from './protocol.js';
import { errorHeaders, toApiError } from './present-error.js';
import type { RouteTable } from './route-table.js';

interface NativeErrorParts {
  routes: RouteTable;
  baseUrl: string;
}

/** Errors with the body of native-api 5.1, with the names of the native API or those of Connect. */
export function nativeErrors(
  family: 'native' | 'connect',
  { routes, baseUrl }: NativeErrorParts,
): ErrorForm<ApiError> {
  return {
    toError: (thrown, { path }) => toApiError(thrown, family, routes.methodsOf(path)),
    send(error, { path }, response) {
      for (const [name, value] of Object.entries(errorHeaders(error, routes.methodsOf(path))))
        if (!response.hasHeader(name)) response.setHeader(name, value);
      response.setHeader('Cache-Control', 'no-store');
      // The headers the route set describe its success response, not this error.
      response.removeHeader('Content-Type');
      response.status(error.status).json(error.body(baseUrl));
    },
    log: logFailure,
  };
}

export const logFailure: ErrorForm['log'] = (logger, { err, request_id, error_code }) => {
  logger.error({ err, request_id, error_code }, 'http.failed');
};
