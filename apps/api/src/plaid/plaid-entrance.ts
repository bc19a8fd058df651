import type { NextFunction, Request, Response } from 'express';
import type { HeaderNames } from '../http/header-names.js';
import { stateOf } from '../http/request-state.js';
import type { RouteTable } from '../http/route-table.js';
import { PlaidError } from './errors/plaid-error.js';
import { PLAID_PATHS } from './plaid-paths.js';
import { isPublicPlaidPath } from './transport/public-paths.js';
import { makeRequestId } from './transport/request-id.js';
import { sendPlaidError } from './errors/send-plaid-error.js';

/** plaid-compat 1.1: the parts of `/sandbox/`, which the native API shares, that belong to this layer. */
const OWN_PREFIXES = ['/sandbox/public_token/', '/sandbox/item/', '/sandbox/transactions/'];
const VERSION = '2020-09-14';

export interface PlaidEntranceParts {
  headers: HeaderNames;
  baseUrl: string;
  /** The routes of the native API, read at each request. */
  nativeRoutes(): RouteTable;
}

/**
 * Recognizes requests to this layer, gives them its own kind of request_id, and returns its own error for a path of Plaid
 * that is not offered. Source: plaid-compat 1.1.
 */
export function plaidEntrance({ headers, baseUrl, nativeRoutes }: PlaidEntranceParts) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const path = canonical(request.path);
    const isOffered = PLAID_PATHS.has(path);
    const isPost = request.method === 'POST';
    const isElsewhere = isOffered
      ? !isPost
      : OWN_PREFIXES.some((prefix) => path.startsWith(prefix)) ||
        (isPost && isPublicPlaidPath(path));
    // Both APIs have the path `/oauth/token`, but only the native one is offered.
    const isMissing = isElsewhere && !nativeRoutes().isDeclared(request.method, path);
    if (!isMissing && !(isOffered && isPost)) return next();
    beginPlaidRequest(request, response, headers);
    if (isMissing) return notFound(request, response, baseUrl);
    request.url = path;
    next();
  };
}

/** Returns this layer's error for an unknown path requested by a client of Plaid's API. Source: plaid-compat 1.1. */
export function plaidExit({ headers, baseUrl, nativeRoutes }: PlaidEntranceParts) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const isPlaidClient =
      request.headers['plaid-client-id'] !== undefined ||
      request.headers['plaid-version'] !== undefined;
    if (
      !isPlaidClient ||
      PLAID_PATHS.has(request.path) ||
      nativeRoutes().methodsOf(request.path).includes(request.method)
    )
      return next();
    beginPlaidRequest(request, response, headers);
    notFound(request, response, baseUrl);
  };
}

function beginPlaidRequest(request: Request, response: Response, headers: HeaderNames): void {
  stateOf(request).requestId = makeRequestId();
  response.removeHeader(headers.requestId);
  response.setHeader('Plaid-Version', VERSION);
}

function notFound(request: Request, response: Response, baseUrl: string): void {
  request.resume();
  sendPlaidError(response, new PlaidError('NOT_FOUND'), {
    requestId: stateOf(request).requestId,
    baseUrl,
  });
}

/** Some clients join base URL and path with two slashes. */
function canonical(path: string): string {
  const joined = path.replaceAll(/\/{2,}/g, '/').toLowerCase();
  return joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined;
}
