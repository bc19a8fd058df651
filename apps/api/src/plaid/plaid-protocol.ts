import type { NextFunction, Request, Response } from 'express';
import type { HeaderNames } from '../http/header-names.js';
import type { Door, Protocol } from '../http/protocol.js';
import { stateOf } from '../http/request-state.js';
import type { RouteTable } from '../http/route-table.js';
import { PlaidError } from './errors/plaid-error.js';
import { plaidErrors } from './errors/plaid-errors.js';
import { PLAID_PATHS } from './plaid-paths.js';
import { isPublicPlaidPath } from './transport/public-paths.js';
import { makeRequestId } from './transport/request-id.js';

/** plaid-compat 1.1: the parts of `/sandbox/`, which the native API shares, that belong to this layer. */
const OWN_PREFIXES = ['/sandbox/public_token/', '/sandbox/item/', '/sandbox/transactions/'];
const VERSION = '2020-09-14';

export interface PlaidParts {
  headers: HeaderNames;
  baseUrl: string;
  /** Paths of the native API. */
  routes: RouteTable;
}

/** A call of this layer; or a call of a Plaid client to a path that exists in no API here. */
type PlaidCall = 'offered' | 'not offered' | 'unmatched';

/** The calls that clients of Plaid's API make, whether they are offered here or not. Source: plaid-compat 1.1. */
export function plaidProtocol(parts: PlaidParts): Protocol {
  return {
    name: 'plaid',
    doorOf: (request) => doorOf(request, parts.routes),
    pages: { '/compatibility/plaid': "'none'" },
    errors: plaidErrors(parts.baseUrl),
    begin: (request, response) => beginPlaidRequest(request, response, parts.headers),
  };
}

function doorOf(request: Request, routes: RouteTable): Door | null {
  const call = plaidCallOf(request, routes);
  if (call === null) return null;
  const checksCredential = call === 'offered';
  return { route: checksCredential ? withSingleSlashes(request.path) : null, checksCredential };
}

/** @returns null for all other requests */
function plaidCallOf(
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

/** Assigns this layer's kind of request_id to its calls, and refuses a path of Plaid that is not offered. */
export function plaidEntrance({ headers, routes }: PlaidParts) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const call = plaidCallOf(request, routes);
    if (call !== 'offered' && call !== 'not offered') return next();
    beginPlaidRequest(request, response, headers);
    if (call === 'not offered') return next(new PlaidError('NOT_FOUND'));
    request.url = withSingleSlashes(request.path);
    next();
  };
}

/** Refuses an unknown path requested by a client of Plaid's API, once no other protocol serves it. */
export function plaidExit({ headers, routes }: PlaidParts) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (plaidCallOf(request, routes) !== 'unmatched') return next();
    beginPlaidRequest(request, response, headers);
    next(new PlaidError('NOT_FOUND'));
  };
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
