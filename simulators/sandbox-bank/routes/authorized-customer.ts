import type { Bank } from '../bank.js';
import type { Connection } from '../customers/connection-store.js';
import type { Customer } from '../customers/customer.js';
import type { UntidyKind } from '../faults/fault-gate.js';
import type { FaultPlace } from '../faults/fault-store.js';
import type { DataArea } from '../institutions/data-areas.js';
import { BankError } from '../http/bank-error.js';
import { bearerTokenOf, fetchKeyOf, knownInstitution, worldTimeOf } from '../http/bank-request.js';
import type { SimulatorRequest } from '../../http/request.js';

/** The connection in the URL, if the bearer token is one of its own; ended or not. */
export async function authorizedConnection(
  request: SimulatorRequest,
  { connections }: Bank,
): Promise<Connection> {
  const connection = await connections.findByAccessToken(
    request.param('connectionId'),
    bearerTokenOf(request),
  );
  // an unknown connection and a token of another one get the same response
  if (connection === null)
    throw new BankError('invalid_token', 'The access token is not valid for this connection.');
  return connection;
}

/** The customer of a connection in any state. */
export function customerOf(connection: Connection): Customer {
  return { ...connection, institution: knownInstitution(connection.institutionId) };
}

/** The customer whose data may be read, with the time of their world. */
export async function authorizedCustomer(
  request: SimulatorRequest,
  bank: Bank,
  operation: FaultPlace['operation'],
): Promise<{
  connection: Connection;
  customer: Customer;
  now: Date;
  /** The part of the response to make unreadable. */
  untidy: UntidyKind | null;
}> {
  const connection = await authorizedConnection(request, bank);
  const now = worldTimeOf(request) ?? bank.now();
  if (connection.revoked)
    throw new BankError('consent_revoked', 'The customer has ended this permission.');
  if (connection.ended || (connection.endsAt !== null && connection.endsAt <= now))
    throw permissionOver();
  const customer = customerOf(connection);
  const untidy = await bank.meetFaults({
    worldId: connection.worldId,
    institutionId: connection.institutionId,
    operation,
    useKey: fetchKeyOf(request),
  });
  const isListing = operation === 'accounts';
  if (
    connection.listingsLeft !== null &&
    !(isListing && (await bank.connections.takeListing(connection.connectionId)))
  )
    throw permissionOver();
  return { connection, customer, now, untidy };
}

/** @throws BankError unless the permission covers the area */
export function requireArea({ areas }: Customer, area: DataArea): void {
  if (!areas.includes(area))
    throw new BankError('access_denied', `The customer has not allowed access to ${area}.`);
}

function permissionOver(): BankError {
  return new BankError(
    'consent_expired',
    'This permission has expired; the customer has to sign in again.',
  );
}
