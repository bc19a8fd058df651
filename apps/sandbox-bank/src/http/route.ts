import type { BankRequest } from './bank-request.js';
import { BankError } from './bank-error.js';

export interface BankReply {
  status: number;
  /** Missing = no body. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** One call of the API. `path` has parameters in braces: `/v1/connections/{connectionId}`. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  handle(request: BankRequest): Promise<BankReply>;
}

export interface RouteMatch {
  route: Route;
  params: Readonly<Record<string, string>>;
}

export type MatchRoute = (method: string, pathname: string) => RouteMatch;

/** Finds the route of a request in a table of routes; throws 404 or 405. */
export function createRouteMatcher(routes: readonly Route[]): MatchRoute {
  const table = routes.map((route) => ({ route, pattern: route.path.split('/') }));
  return (method, pathname) => {
    const segments = pathname.split('/');
    const allowed: string[] = [];
    for (const { route, pattern } of table) {
      const params = matchSegments(pattern, segments);
      if (params === null) continue;
      if (route.method === method) return { route, params };
      allowed.push(route.method);
    }
    if (allowed.length === 0) throw new BankError('not_found', 'There is nothing at this address.');
    throw new BankError('method_not_allowed', 'This address has no such method.', {
      allow: allowed.join(', '),
    });
  };
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      if (part !== segment) return null;
      continue;
    }
    const decoded = decodeSegment(segment);
    if (decoded === null) return null;
    params[name] = decoded;
  }
  return params;
}

function decodeSegment(segment: string): string | null {
  try {
    const decoded = decodeURIComponent(segment);
    return /^[\w.-]{1,100}$/.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}
