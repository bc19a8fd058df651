import { z } from 'zod';
import type { Bank } from '../bank.js';
import { DATA_AREAS } from '../institutions/data-areas.js';
import { BankError } from '../http/bank-error.js';
import { idempotencyKeyOf, institutionOf, readBody } from '../http/bank-request.js';
import type { Routes } from '../../http/routes.js';
import { enterWorld, WORLD_FIELDS } from '../http/world.js';
import { keyUsedElsewhere } from '../logins/announce-login.js';
import { storableText } from '../storage/value-forms.js';
import { authorizedConnection } from './authorized-customer.js';

const ConnectionForm = z.object({
  ...WORLD_FIELDS,
  customer_reference: storableText(600),
  previous_connection_id: storableText(100).nullish(),
  areas: z.array(z.enum(DATA_AREAS)).default([]),
});

/** Permissions to read a customer's accounts. */
export function connectionRoutes(bank: Bank): Routes {
  const { connections, worlds, meetFaults } = bank;
  return {
    // Connects a customer without a login. The same Idempotency-Key returns the same connection,
    // with a new access token each time.
    'POST /v1/institutions/{institutionId}/connections': async (request) => {
      const { institutionId, login } = institutionOf(request);
      if (login !== 'none')
        throw new BankError('invalid_request', 'This institution wants a login first.');
      const idempotencyKey = idempotencyKeyOf(request);
      const body = await readBody(request, ConnectionForm);
      const worldId = await enterWorld(worlds, body);
      await meetFaults({ worldId, institutionId, operation: 'login', useKey: idempotencyKey });
      const connectionId = await connections.create({
        institutionId,
        worldId,
        userName: '',
        customerReference: body.customer_reference,
        idempotencyKey,
        accountKeys: null,
        areas: body.areas,
        customData: null,
        endsAt: null,
        listingsLeft: null,
        continues: body.previous_connection_id ?? null,
      });
      if (connectionId === null) throw keyUsedElsewhere();
      const accessToken = await connections.issueAccessToken(connectionId);
      return { status: 201, json: { connection_id: connectionId, access_token: accessToken } };
    },
    // The end of a permission, in the time of its world; null = without end.
    'GET /v1/connections/{connectionId}': async (request) => {
      const { connectionId, endsAt } = await authorizedConnection(request, bank);
      const json = { connection_id: connectionId, ends_at: endsAt?.toISOString() ?? null };
      return { status: 200, json };
    },
    // Makes the bank end a permission as if it had expired: only another login helps. Source:
    // link-lifecycle 10 and 14.
    'POST /v1/connections/{connectionId}/end': async (request) => {
      await connections.end((await authorizedConnection(request, bank)).connectionId);
      return { status: 204 };
    },
    // The customer ends a permission. Idempotent.
    'DELETE /v1/connections/{connectionId}': async (request) => {
      await connections.revoke((await authorizedConnection(request, bank)).connectionId);
      return { status: 204 };
    },
  };
}
