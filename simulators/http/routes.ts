import type { Reply } from './reply.js';
import type { SimulatorRequest } from './request.js';

/** Responds to a request; null = it used the response of the request itself. */
export type Handler = (request: SimulatorRequest) => Reply | null | Promise<Reply | null>;

/**
 * Addresses by method and path, with parameters in braces: `GET /accounts/{uid}/details`. The method
 * `*` stands for all, and `*` at the end of a path for any rest.
 */
export type Routes = Readonly<Record<string, Handler>>;

export type FoundRoute<T> =
  | { target: T; path: string; params: Readonly<Record<string, string>> }
  /** The methods of an address that lacks the requested one; none = an unknown address. */
  | { allowed: readonly string[] };

/** Finds the entries of a table by method and path. */
export class RouteTable<T> {
  readonly #entries: readonly { method: string; path: string; pattern: URLPattern; target: T }[];

  /** @param parameter what a parameter may be: a group of a pattern */
  constructor(routes: Readonly<Record<string, T>>, parameter = '') {
    this.#entries = Object.entries(routes).map(([name, target]) => {
      const [method = '', path = ''] = name.split(' ');
      const pathname = path.replace(/\{(\w+)\}/g, `:$1${parameter}`);
      return { method, path, pattern: new URLPattern({ pathname }), target };
    });
  }

  find(method: string, path: string): FoundRoute<T> {
    // A pattern resolves dot segments and backslashes, which would give a route several spellings.
    if (URL.parse(`http://simulator${path}`)?.pathname !== path) return { allowed: [] };
    const allowed: string[] = [];
    for (const { pattern, target, ...route } of this.#entries) {
      const params = decoded(pattern.exec({ pathname: path })?.pathname.groups);
      if (params === null) continue;
      if (route.method === method || route.method === '*')
        return { target, path: route.path, params };
      allowed.push(route.method);
    }
    return { allowed };
  }
}

export interface RouteOptions {
  /** The pattern of a parameter, as a group. Any segment by default. */
  parameter?: string;
  /** The response to an unknown address. */
  notFound?: Reply;
  /** The response to a method that an address lacks. */
  notAllowed?: Reply;
}

/** Serves a table of routes. */
export function serveRoutes(
  routes: Routes,
  {
    parameter,
    notFound = { status: 404, json: { error: 'There is nothing at this address.' } },
    notAllowed = { status: 405, json: {} },
  }: RouteOptions = {},
): Handler {
  const table = new RouteTable(routes, parameter);
  return (request) => {
    const found = table.find(request.method, request.path);
    if ('target' in found) {
      request.route = found.path;
      request.params = found.params;
      return found.target(request);
    }
    if (found.allowed.length === 0) return notFound;
    return { ...notAllowed, headers: { ...notAllowed.headers, allow: found.allowed.join(', ') } };
  };
}

/** Null for no groups, and for ones that cannot be decoded. */
function decoded(groups: Record<string, string | undefined> | undefined) {
  if (groups === undefined) return null;
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value = '']) => [name, decodeURIComponent(value)]),
    );
  } catch {
    return null;
  }
}
