import type { NextFunction, Request, Response } from 'express';
import type { HeaderNames } from '../http/header-names.js';

/**
 * Allows only the origin of the hosted app to make session calls from a browser. Source: connect 4.
 */
export function connectCors(connectBaseUrl: string, headers: HeaderNames) {
  const { origin } = new URL(connectBaseUrl);
  return (request: Request, response: Response, next: NextFunction): void => {
    response.vary('Origin');
    if (request.headers.origin === origin) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      // The hosted page is bound to its browser by a cookie (connect 2).
      response.setHeader('Access-Control-Allow-Credentials', 'true');
      response.setHeader('Access-Control-Expose-Headers', `Retry-After, ${headers.requestId}`);
    }
    if (
      request.method !== 'OPTIONS' ||
      request.headers['access-control-request-method'] === undefined
    ) {
      next();
      return;
    }
    if (request.headers.origin === origin) {
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
      response.setHeader(
        'Access-Control-Allow-Headers',
        `Authorization, Content-Type, ${headers.requestId}`,
      );
      response.setHeader('Access-Control-Max-Age', '600');
    }
    response.status(204).end();
  };
}
