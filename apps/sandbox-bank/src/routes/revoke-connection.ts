import type { Route } from '../http/route.js';
import type { ConnectionStore } from '../storage/connections.js';
import { authorizedConnection } from './authorized-customer.js';

/** Ends a permission. Revoking what is revoked succeeds. */
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
