import { Products, type PlaidApi } from 'plaid';
import { eventually } from '../../support/assertions/eventually.js';
import { plaidClient } from '../../support/actors/plaid-client.js';
import { shareService, type SharedService } from '../../support/fixtures/shared-service.js';

export let service: SharedService;
/** The official client with the Sandbox keys of the file's app. */
export let plaid: PlaidApi;

export function startSandboxItems(): void {
  beforeAll(async () => {
    service = await shareService();
    const { client_id: clientId, client_secret: secret } = service.app.sandbox;
    plaid = plaidClient(service.info.base_url, {
      'PLAID-CLIENT-ID': clientId,
      'PLAID-SECRET': secret,
    });
  });
}

export const publicToken = (over: object = {}) =>
  plaid.sandboxPublicTokenCreate({
    institution_id: 'ins_109508',
    initial_products: [Products.Transactions, Products.Auth],
    ...over,
  });

/** Creates an Item without a browser; returns its access token. */
export async function item(over: object = {}): Promise<string> {
  const { data } = await publicToken(over);
  return (await plaid.itemPublicTokenExchange({ public_token: data.public_token })).data
    .access_token;
}

/** Resolves once the first transactions of an Item are stored. */
export async function untilSynced(token: string): Promise<void> {
  await eventually(
    async () =>
      expect((await plaid.transactionsSync({ access_token: token })).data.next_cursor).not.toBe(''),
    { every: 500 },
  );
}

export const today = () => new Date().toISOString().slice(0, 10);
