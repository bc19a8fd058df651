import type { NextFunction, Request, Response } from 'express';
import { CALLBACK_PAGE_POLICY, callbackPage } from '../connect/oauth/callback-page.js';
import { tooManyCalls, type AnonymousCalls } from '../http/anonymous-calls.js';
import { PROBES } from '../http/probes.js';
import type { Protocols } from '../http/protocol.js';
import { stateOf } from '../http/request-state.js';

/**
 * Refuses the requests of an address that sent too many without a right credential, before any work. A request to a route that
 * checks one continues to that check. Source: native-api 8.
 */
export function anonymousLimit(calls: AnonymousCalls, protocols: Protocols) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (PROBES.has(request.path)) return next();
    const state = stateOf(request);
    state.anonymous = calls.begin(request);
    const { waitSeconds } = state.anonymous;
    if (waitSeconds === 0) return next();
    const { protocol, door } = protocols.of(request);
    if (door.checksCredential) return next();
    state.route = door.route;
    const frameAncestors = protocols.pages.get(request.path);
    if (frameAncestors !== undefined)
      return sendBusyPage(request, response, { frameAncestors, waitSeconds });
    protocol.begin?.(request, response);
    next(tooManyCalls(waitSeconds));
  };
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
