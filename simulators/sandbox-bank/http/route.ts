import { RouteTable, type FoundRoute } from '../../http/route-table.js';
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

export type MatchRoute = (method: string, pathname: string) => FoundRoute<Handler>;

/** Ids and tokens; everything else is an unknown address. */
const PARAMETER = /^[\w.-]{1,100}$/;

/** Finds the route of a request in a table of routes; throws 404 or 405. */
export function createRouteMatcher(routes: Routes): MatchRoute {
  const table = new RouteTable(
    Object.entries(routes).map(([name, handle]) => {
      const [method = '', path = ''] = name.split(' ');
      return { method, path, handle };
    }),
    (value) => PARAMETER.test(value),
  );
  return (method, pathname) => {
    const found = table.find(method, pathname);
    if ('handle' in found) return found;
    if (found.allowed.length === 0)
      throw new BankError('not_found', 'There is nothing at this address.');
    throw new BankError('method_not_allowed', 'This address has no such method.', {
      allow: found.allowed.join(', '),
    });
  };
}
