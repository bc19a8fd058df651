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
const NOT_FOUND = new PlaidError('NOT_FOUND');
/** For an address and headers that are too large. */
export const HEADERS_TOO_LARGE = new PlaidError('INVALID_HEADERS');

export interface PlaidEntranceParts {
  headers: HeaderNames;
  baseUrl: string;
  /** Paths of the native API. */
  routes: RouteTable;
}

/** A call of this layer; or a call of a Plaid client to a path that exists in no API here. */
export type PlaidCall = 'offered' | 'not offered' | 'unmatched';

/** @returns null for all other requests */
export function plaidCallOf(
  { method, path: sent, headers }: Request,
  routes: RouteTable,
): PlaidCall | null {
  const path = withSingleSlashes(sent);
  const isPost = method === 'POST';
  if (isPost && PLAID_PATHS.has(path)) return 'offered';
  const isElsewhere =
    PLAID_PATHS.has(path) ||
    OWN_PREFIXES.some((prefix) => path.startsWith(prefix)) ||
    (isPost && isPublicPlaidPath(path));
  // Both APIs have the path `/oauth/token`, but only the native one is offered.
  if (isElsewhere && !routes.isDeclared(method, path)) return 'not offered';
  const isPlaidClient =
    headers['plaid-client-id'] !== undefined || headers['plaid-version'] !== undefined;
  return isPlaidClient && !routes.methodsOf(sent).includes(method) ? 'unmatched' : null;
}

/**
 * Recognizes requests to this layer, assigns its own kind of request_id to them, and returns its own error for a path of Plaid
 * that is not offered. Source: plaid-compat 1.1.
 */
export function plaidEntrance(parts: PlaidEntranceParts) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const call = plaidCallOf(request, parts.routes);
    if (call === 'not offered') return refusePlaidCall(request, response, NOT_FOUND, parts);
    if (call === 'offered') {
      beginPlaidRequest(request, response, parts.headers);
      request.url = withSingleSlashes(request.path);
    }
    next();
  };
}

/** Returns this layer's error for an unknown path requested by a client of Plaid's API. Source: plaid-compat 1.1. */
export function plaidExit(parts: PlaidEntranceParts) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (plaidCallOf(request, parts.routes) !== 'unmatched') return next();
    refusePlaidCall(request, response, NOT_FOUND, parts);
  };
}

/** Ends a request before it reaches a handler of this layer. */
export function refusePlaidCall(
  request: Request,
  response: Response,
  error: PlaidError,
  { headers, baseUrl }: Pick<PlaidEntranceParts, 'headers' | 'baseUrl'>,
): void {
  beginPlaidRequest(request, response, headers);
  request.resume();
  sendPlaidError(response, error, { requestId: stateOf(request).requestId, baseUrl });
}

function beginPlaidRequest(request: Request, response: Response, headers: HeaderNames): void {
  stateOf(request).requestId = makeRequestId();
  response.removeHeader(headers.requestId);
  response.setHeader('Plaid-Version', VERSION);
}

/** Some clients join base URL and path with two slashes. */
function withSingleSlashes(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/');
}
