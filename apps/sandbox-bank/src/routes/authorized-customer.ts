import type { Customer } from '../customers/customer.js';
import { findInstitution } from '../institutions/institutions.js';
import type { FaultGate } from '../faults/fault-gate.js';
import { BankError } from '../http/bank-error.js';
import type { BankRequest } from '../http/bank-request.js';
import { readWorldTime } from '../http/world-time.js';
import type { Connection, ConnectionStore } from '../customers/connection-store.js';
import type { FaultPlace } from '../faults/fault-store.js';

export interface DataAccess {
  connections: Pick<ConnectionStore, 'findByAccessToken' | 'takeListing'>;
  meetFaults: FaultGate;
  /** Real time, used by a world that names no other. */
  now: () => Date;
}

/** The connection in the URL, if the bearer token is one of its own; ended or not. */
export async function authorizedConnection(
  request: BankRequest,
  connections: Pick<ConnectionStore, 'findByAccessToken'>,
): Promise<Connection> {
  const connection = await connections.findByAccessToken(
    request.param('connectionId'),
    request.bearerToken(),
  );
  // an unknown connection and a token of another one look the same
  if (connection === null)
    throw new BankError('invalid_token', 'The access token is not valid for this connection.');
  return connection;
}

/** The customer of a connection in any state. */
export function customerOf(connection: Connection): Customer {
  const institution = findInstitution(connection.institutionId);
  if (institution === null)
    throw new BankError('unknown_institution', 'There is no such institution.');
  return { ...connection, institution };
}

/** The customer whose data may be read, with the time of their world. */
export async function authorizedCustomer(
  request: BankRequest,
  { connections, meetFaults, now: realNow }: DataAccess,
  operation: FaultPlace['operation'],
): Promise<{ connection: Connection; customer: Customer; now: Date }> {
  const connection = await authorizedConnection(request, connections);
  const now = readWorldTime(request) ?? realNow();
  if (connection.revoked)
    throw new BankError('consent_revoked', 'The customer has ended this permission.');
  if (connection.ended || (connection.endsAt !== null && connection.endsAt <= now))
    throw permissionOver();
  const customer = customerOf(connection);
  await meetFaults({
    worldId: connection.worldId,
    institutionId: connection.institutionId,
    operation,
    useKey: readFetchKey(request),
  });
  const isListing = operation === 'accounts';
  if (
    connection.listingsLeft !== null &&
    !(isListing && (await connections.takeListing(connection.connectionId)))
  )
    throw permissionOver();
  return { connection, customer, now };
}

/** The key under which several calls, and their retries, are one fetch. */
export function readFetchKey(request: BankRequest): string | null {
  const key = request.header('fetch-key');
  if (key === null) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new BankError(
      'invalid_request',
      'The header Fetch-Key must have 1..200 printable characters.',
    );
  return key;
}

function permissionOver(): BankError {
  return new BankError(
    'consent_expired',
    'This permission is over; the customer has to sign in again.',
  );
}
