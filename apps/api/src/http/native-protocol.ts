import { nativeErrors } from './native-errors.js';
import type { Door, Protocol } from './protocol.js';
import type { RouteTable } from './route-table.js';
import type { Request } from 'express';

interface NativeParts {
  routes: RouteTable;
  baseUrl: string;
}

/** Every request that no other protocol serves, also to an unknown path. */
export function nativeProtocol(parts: NativeParts): Protocol {
  return {
    name: 'native',
    doorOf: (request) => doorOf(request, parts.routes),
    pages: { '/docs': "'none'" },
    errors: nativeErrors('native', parts),
  };
}

/** Routes are limited unless they declare otherwise. */
export function doorOf({ method, path }: Request, routes: RouteTable): Door {
  const route = routes.find(method, path);
  return {
    route: route?.path ?? null,
    checksCredential: route !== null && route.auth !== 'none',
  };
}
