import type { NextFunction, Request, Response } from 'express';
import { FRAME_ANCESTORS } from '../connect/hosted/page-policy.js';
import { CALLBACK_PAGE_POLICY, callbackPage } from '../connect/oauth/callback-page.js';
import type { HeaderNames } from '../http/header-names.js';
import { stateOf } from '../http/request-state.js';
import type { RouteTable } from '../http/route-table.js';
import { toPlaidError } from '../plaid/errors/to-plaid-error.js';
import { plaidCallOf, refusePlaidCall } from '../plaid/plaid-entrance.js';
import { checksCredential as checksSimplefin } from '../simplefin/credential-paths.js';
import { tooManyCalls, type AnonymousCalls } from './anonymous-calls.js';

/** Each prober calls every second, and concurrent callers share one check of the parts. */
const PROBES = new Set(['/health/live', '/health/ready']);

export interface AnonymousLimitParts {
  calls: AnonymousCalls;
  routes: RouteTable;
  headers: HeaderNames;
  baseUrl: string;
  connectBaseUrl: string;
}

/**
 * Refuses the requests of an address that sent too many without a right credential, before any work. A request to a route that
 * checks one continues to that check. Routes are limited unless they declare otherwise. Source: native-api 8.
 */
export function anonymousLimit({
  calls,
  routes,
  headers,
  baseUrl,
  connectBaseUrl,
}: AnonymousLimitParts) {
  const pages = pagesOf(connectBaseUrl);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (PROBES.has(request.path)) return next();
    const state = stateOf(request);
    state.anonymous = calls.begin(request);
    const { waitSeconds } = state.anonymous;
    if (waitSeconds === 0) return next();
    const route = routes.find(request.method, request.path);
    const plaidCall = plaidCallOf(request, routes);
    if (plaidCall === 'offered' || checksSimplefin(request.path)) return next();
    if (route !== null && route.auth !== 'none') return next();
    state.route = route?.path ?? null;
    const error = tooManyCalls(waitSeconds);
    const frameAncestors = pages.get(request.path);
    if (plaidCall !== null)
      refusePlaidCall(request, response, toPlaidError(error), { headers, baseUrl });
    else if (frameAncestors === undefined) next(error);
    else sendBusyPage(request, response, { frameAncestors, waitSeconds });
  };
}

/** The pages that people open in a browser, and their permitted frames. */
function pagesOf(connectBaseUrl: string): Map<string, string> {
  const { pathname } = new URL(connectBaseUrl);
  const root = pathname.replace(/\/$/, '');
  return new Map([
    ...Object.entries(FRAME_ANCESTORS).map(
      ([path, ancestors]) => [root + path, ancestors] as const,
    ),
    ...['/connect/oauth/callback', '/docs', '/compatibility/plaid', '/simplefin/create'].map(
      (path) => [path, "'none'"] as const,
    ),
  ]);
}

function sendBusyPage(
  request: Request,
  response: Response,
  { frameAncestors, waitSeconds }: { frameAncestors: string; waitSeconds: number },
): void {
  // Superseded by frame-ancestors, but takes precedence in old browsers.
  if (frameAncestors !== "'none'") response.removeHeader('X-Frame-Options');
  response.setHeader(
    'Content-Security-Policy',
    CALLBACK_PAGE_POLICY.replace("frame-ancestors 'none'", `frame-ancestors ${frameAncestors}`),
  );
  response.setHeader('Vary', 'Accept-Language');
  response.setHeader('Retry-After', Math.ceil(waitSeconds));
  response
    .status(429)
    .type('html')
    .send(callbackPage('busy', request.headers['accept-language'] ?? ''));
}
