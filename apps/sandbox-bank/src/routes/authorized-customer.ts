import type { Customer } from '../data/customer.js';
import { findInstitution } from '../data/institutions.js';
import { BankError } from '../http/bank-error.js';
import type { BankRequest } from '../http/bank-request.js';
import type { Connection, ConnectionStore } from '../storage/connections.js';

export interface DataAccess {
  connections: Pick<ConnectionStore, 'findByAccessToken' | 'takeListing'>;
  /** The clock of the worlds that follow real time. */
  now: () => Date;
}

/** The connection of the address, if the bearer token is one of its own; ended or not. */
export async function authorizedConnection(
  request: BankRequest,
  connections: Pick<ConnectionStore, 'findByAccessToken'>,
): Promise<Connection> {
  const connection = await connections.findByAccessToken(request.param('connectionId'), request.bearerToken());
  // an unknown connection and a token of another one look the same
  if (connection === null) throw new BankError('invalid_token', 'The access token is not valid for this connection.');
  return connection;
}

/** The customer whose data may be read, with the time of their world. */
export async function authorizedCustomer(
  request: BankRequest,
  { connections, now: realNow }: DataAccess,
  { listsAccounts = false }: { listsAccounts?: boolean } = {},
): Promise<{ connectionId: string; customer: Customer; now: Date }> {
  const connection = await authorizedConnection(request, connections);
  const now = connection.worldClock ?? realNow();
  if (connection.revoked) throw new BankError('consent_revoked', 'The customer has ended this permission.');
  if (connection.ended || (connection.endsAt !== null && connection.endsAt <= now)) throw permissionOver();
  if (connection.listingsLeft !== null && !(listsAccounts && (await connections.takeListing(connection.connectionId)))) throw permissionOver();
  const institution = findInstitution(connection.institutionId);
  if (institution === null) throw new BankError('unknown_institution', 'There is no such institution.');
  return { connectionId: connection.connectionId, customer: { ...connection, institution }, now };
}

function permissionOver(): BankError {
  return new BankError('consent_expired', 'This permission is over; the customer has to sign in again.');
}
