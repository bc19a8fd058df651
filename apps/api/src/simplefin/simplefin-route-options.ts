import type { ReadBound } from '../http/read-bound.js';

export const SIMPLEFIN_ROUTE = Symbol('simplefin-route');

export interface SimplefinDeclaration {
  /** The bound of a call that reads; null = it changes something. */
  reads: ReadBound | null;
  /** `access`: that of an access URL; `setup token`: one in the path, which the handler checks. */
  credential: 'access' | 'setup token' | 'none';
}

export interface SimplefinRouteOptions extends SimplefinDeclaration {
  method: 'GET' | 'POST';
  /** Names the route in logs, since a claim address is a secret. */
  path: string;
}
