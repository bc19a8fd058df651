import type { ApiResponse } from '../../../support/services/api-client.js';
import {
  clientId,
  clientSecret,
  connectedLink,
  openSession,
  type OpenedSession,
} from '../../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../../support/services/api-of-file.js';
import type { PlaidErrorBody } from '../../../support/actors/plaid-client.js';

export { service, token } from '../../../support/services/api-of-file.js';
export let linkId: string;
export let session: OpenedSession;

/** Starts an API for the file, with a connected link and an open session. */
export function startBoundedCalls(): void {
  apiOfFile({ RATE_LIMIT_COMPAT: 'off' });
  beforeAll(async () => {
    linkId = await connectedLink(service, token);
    session = await openSession(service, token);
  });
}

export const user = { customer_user: { id: 'u' } };
/** Sends a body to a path, in which `{link}` stands for the link. */
export const post = (path: string, json: unknown): Promise<ApiResponse> =>
  service.api.as(token).post(path.replace('{link}', linkId), { json });

export async function compatible(
  path: string,
  body: string,
): Promise<{ status: number; data: PlaidErrorBody }> {
  const headers = {
    'content-type': 'application/json',
    'plaid-client-id': clientId('pocket-ledger', 'sandbox'),
    'plaid-secret': clientSecret('pocket-ledger', 'sandbox'),
  };
  const response = await fetch(service.api.baseUrl + path, { method: 'POST', headers, body });
  return { status: response.status, data: (await response.json()) as PlaidErrorBody };
}
