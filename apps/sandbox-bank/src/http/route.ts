import { BankError } from './bank-error.js';
import type { BankRequest } from './bank-request.js';

export interface BankReply {
  status: number;
  /** Missing = no body. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

export type Handler = (request: BankRequest) => Promise<BankReply>;

/** Calls of the API by method and path, with parameters in braces: `GET /v1/faults/{faultId}`. */
export type Routes = Readonly<Record<string, Handler>>;

export interface RouteMatch {
  path: string;
  params: Readonly<Record<string, string>>;
  handle: Handler;
}
export type MatchRoute = (method: string, pathname: string) => RouteMatch;

/** Finds the route of a request in a table of routes; throws 404 or 405. */
export function createRouteMatcher(routes: Routes): MatchRoute {
  const table = Object.entries(routes).map(([name, handle]) => {
    const [method = '', path = ''] = name.split(' ');
    return { method, path, pattern: path.split('/'), handle };
  });
  return (wanted, pathname) => {
    const segments = pathname.split('/');
    const allowed: string[] = [];
    for (const { method, path, pattern, handle } of table) {
      const params = matchSegments(pattern, segments);
      if (params === null) continue;
      if (method === wanted) return { path, params, handle };
      allowed.push(method);
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
