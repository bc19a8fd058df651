import { findInstitution } from '../data/institutions.js';
import { BankError } from '../http/bank-error.js';
import type { BankRequest } from '../http/bank-request.js';
import type { Route } from '../http/route.js';
import type { ConnectionStore } from '../storage/connections.js';

/** Connects a customer. The same Idempotency-Key gives the same connection, with a fresh access token each time. */
export function createConnectionRoute(connections: ConnectionStore): Route {
  return {
    method: 'POST',
    path: '/v1/institutions/{institutionId}/connections',
    async handle(request) {
      const institution = findInstitution(request.param('institutionId'));
      if (institution === null) throw new BankError('unknown_institution', 'There is no such institution.');
      const idempotencyKey = readIdempotencyKey(request);
      const body = await request.jsonObject();
      const customerReference = readText(body, 'customer_reference', 600);
      const worldId = readText(body, 'world', 100);
      if (!(await connections.worldExists(worldId))) throw new BankError('unknown_world', 'There is no such world.');

      const wanted = { institutionId: institution.institutionId, worldId, userName: '', customerReference, idempotencyKey };
      const connectionId = await connections.create(wanted);
      if (connectionId === null) {
        throw new BankError('idempotency_conflict', 'This Idempotency-Key was used for another request.');
      }
      const accessToken = await connections.issueAccessToken(connectionId);
      return { status: 201, body: { connection_id: connectionId, access_token: accessToken } };
    },
  };
}

function readIdempotencyKey(request: BankRequest): string {
  const key = request.header('idempotency-key') ?? '';
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new BankError('invalid_request', 'The header Idempotency-Key must have 1..200 printable characters.');
  }
  return key;
}

function readText(body: Readonly<Record<string, unknown>>, name: string, maxLength: number): string {
  const value = body[name];
  const isText = typeof value === 'string' && value.length >= 1 && value.length <= maxLength;
  // PostgreSQL cannot store U+0000, and an unpaired surrogate would change on its way there
  if (!isText || value.includes('\u0000') || Buffer.from(value).toString() !== value) {
    throw new BankError('invalid_request', `${name} must be text of 1..${maxLength} characters.`);
  }
  return value;
}
