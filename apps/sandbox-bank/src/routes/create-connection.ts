import type { FaultGate } from '../faults/fault-gate.js';
import { findInstitution } from '../institutions/institutions.js';
import { BankError } from '../http/bank-error.js';
import { readText, readTextOrNull } from '../http/read-text.js';
import { readWorld } from '../http/read-world.js';
import type { Route } from '../http/route.js';
import type { ConnectionStore } from '../customers/connection-store.js';
import type { WorldStore } from '../storage/worlds.js';

export interface ConnectionRouteParts {
  connections: Pick<ConnectionStore, 'create' | 'issueAccessToken'>;
  worlds: Pick<WorldStore, 'exists' | 'ensure'>;
  meetFaults: FaultGate;
}

/**
 * Connects a customer without a login. The same Idempotency-Key returns the same connection, with a
 * new access token each time.
 */
export function createConnectionRoute({
  connections,
  worlds,
  meetFaults,
}: ConnectionRouteParts): Route {
  return {
    method: 'POST',
    path: '/v1/institutions/{institutionId}/connections',
    async handle(request) {
      const institution = findInstitution(request.param('institutionId'));
      if (institution === null)
        throw new BankError('unknown_institution', 'There is no such institution.');
      if (institution.login !== 'none')
        throw new BankError('invalid_request', 'This institution wants a login first.');
      const idempotencyKey = request.idempotencyKey();
      const body = await request.jsonObject();
      const { institutionId } = institution;
      const customerReference = readText(body, 'customer_reference', 600);
      const worldId = await readWorld(body, worlds);
      await meetFaults({ worldId, institutionId, operation: 'login', useKey: idempotencyKey });

      const connectionId = await connections.create({
        institutionId,
        worldId,
        userName: '',
        customerReference,
        idempotencyKey,
        accountKeys: null,
        customData: null,
        endsAt: null,
        listingsLeft: null,
        continues: readTextOrNull(body, 'previous_connection_id', 100),
      });
      if (connectionId === null) {
        throw new BankError(
          'idempotency_conflict',
          'This Idempotency-Key was used for another request.',
        );
      }
      const accessToken = await connections.issueAccessToken(connectionId);
      return { status: 201, body: { connection_id: connectionId, access_token: accessToken } };
    },
  };
}
