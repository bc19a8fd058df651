import { doorOf } from '../http/native-protocol.js';
import { nativeErrors } from '../http/native-errors.js';
import type { Protocol } from '../http/protocol.js';
import type { RouteTable } from '../http/route-table.js';
import { FRAME_ANCESTORS } from './hosted/page-policy.js';

export interface ConnectParts {
  routes: RouteTable;
  baseUrl: string;
  connectBaseUrl: string;
}

/** The calls of the hosted app and the SDKs, and the pages in which people link their accounts. Source: connect 4. */
export function connectProtocol({ connectBaseUrl, ...parts }: ConnectParts): Protocol {
  const root = new URL(connectBaseUrl).pathname.replace(/\/$/, '');
  const hosted = Object.entries(FRAME_ANCESTORS).map(([path, ancestors]) => [
    root + path,
    ancestors,
  ]);
  return {
    name: 'connect',
    doorOf: (request) =>
      request.path.startsWith('/connect/api/') ? doorOf(request, parts.routes) : null,
    pages: { ...Object.fromEntries(hosted), '/connect/oauth/callback': "'none'" },
    errors: nativeErrors('connect', parts),
  };
}
