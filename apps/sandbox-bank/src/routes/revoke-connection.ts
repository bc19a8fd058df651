import type { Route } from '../http/route.js';
import type { ConnectionStore } from '../customers/connection-store.js';
import { authorizedConnection } from './authorized-customer.js';

/** The customer ends a permission. Idempotent. */
export function revokeConnectionRoute(connections: ConnectionStore): Route {
  return {
    method: 'DELETE',
    path: '/v1/connections/{connectionId}',
    async handle(request) {
      const connection = await authorizedConnection(request, connections);
      await connections.revoke(connection.connectionId);
      return { status: 204 };
    },
  };
}

/** How long a permission lasts, in the time of its world; null = without end. */
export function readConnectionRoute(connections: ConnectionStore): Route {
  return {
    method: 'GET',
    path: '/v1/connections/{connectionId}',
    async handle(request) {
      const { connectionId, endsAt } = await authorizedConnection(request, connections);
      return {
        status: 200,
        body: { connection_id: connectionId, ends_at: endsAt?.toISOString() ?? null },
      };
    },
  };
}

/**
 * Makes the bank end a permission as if it had expired: only another login helps. Source:
 * link-lifecycle 10 and 14.
 */
export function endConnectionRoute(connections: ConnectionStore): Route {
  return {
    method: 'POST',
    path: '/v1/connections/{connectionId}/end',
    async handle(request) {
      const connection = await authorizedConnection(request, connections);
      await connections.end(connection.connectionId);
      return { status: 204 };
    },
  };
}
