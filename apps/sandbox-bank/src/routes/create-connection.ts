import { findInstitution } from '../data/institutions.js';
import { BankError } from '../http/bank-error.js';
import { readText } from '../http/read-text.js';
import type { Route } from '../http/route.js';
import type { ConnectionStore } from '../storage/connections.js';

/** Connects a customer who need not log in. The same Idempotency-Key gives the same connection, with a fresh access token each time. */
export function createConnectionRoute(connections: ConnectionStore): Route {
  return {
    method: 'POST',
    path: '/v1/institutions/{institutionId}/connections',
    async handle(request) {
      const institution = findInstitution(request.param('institutionId'));
      if (institution === null) throw new BankError('unknown_institution', 'There is no such institution.');
      if (institution.login !== 'none') throw new BankError('invalid_request', 'This institution wants a login first.');
      const idempotencyKey = request.idempotencyKey();
      const body = await request.jsonObject();
      const customerReference = readText(body, 'customer_reference', 600);
      const worldId = readText(body, 'world', 100);
      if ((await connections.findWorld(worldId)) === null) throw new BankError('unknown_world', 'There is no such world.');

      const connectionId = await connections.create({
        institutionId: institution.institutionId, worldId, userName: '', customerReference, idempotencyKey,
        accountKeys: null, customData: null, endsAt: null, listingsLeft: null, continues: null,
      });
      if (connectionId === null) {
        throw new BankError('idempotency_conflict', 'This Idempotency-Key was used for another request.');
      }
      const accessToken = await connections.issueAccessToken(connectionId);
      return { status: 201, body: { connection_id: connectionId, access_token: accessToken } };
    },
  };
}
