import { ClientSecretRepository } from '../../../prisma/tenants/applications/client-secret.repository.js';
import { hashClientSecret } from '../../../prisma/tenants/applications/client-secret.js';
import type { ApiClient } from '../../support/services/api-client.js';
import {
  clientId,
  clientSecret,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';

const CLIENT_ID = clientId('pocket-ledger', 'sandbox');
const FIRST = clientSecret('pocket-ledger', 'sandbox');

let service: ApiInProcess;
let secrets: ClientSecretRepository;

beforeAll(async () => {
  service = await startApiInProcess();
  secrets = new ClientSecretRepository(service.ctx);
});
afterAll(() => service.close());

/** The status of each call that takes a key pair. */
async function statuses(secret: string) {
  const form = { client_id: CLIENT_ID, client_secret: secret, grant_type: 'client_credentials' };
  const [token, oauth, plaid] = [
    await service.api.post('/auth/token', { form }),
    await service.api.post('/oauth/token', { form }),
    await fetch(`${service.api.baseUrl}/institutions/get`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: CLIENT_ID,
        secret,
        count: 1,
        offset: 0,
        country_codes: ['US'],
      }),
    }),
  ];
  return { token: token.status, oauth: oauth.status, plaid: plaid.status };
}

async function tokenFor(secret: string): Promise<string> {
  const { body } = await service.api.post('/auth/token', {
    form: { client_id: CLIENT_ID, client_secret: secret },
  });
  return (body as { access_token: string }).access_token;
}

const introspect = async (api: ApiClient, token: string) =>
  (await api.as(token).get('/auth/introspect')).status;

async function rotate(secret: string): Promise<void> {
  await secrets.rotate(CLIENT_ID, {
    secretHash: hashClientSecret(secret),
    label: secret,
    overlapMs: 86_400_000,
  });
}

const ALLOWED = { token: 201, oauth: 200, plaid: 200 };
const REFUSED = { token: 401, oauth: 401, plaid: 400 };

describe('A key pair with two secrets', () => {
  it('is accepted with both, and without the one that ended: by the API, by OAuth and by the Plaid layer', async () => {
    await rotate('second');
    expect([await statuses(FIRST), await statuses('second')]).toEqual([ALLOWED, ALLOWED]);
    const earlier = await tokenFor(FIRST);
    const [, first] = (await secrets.list(CLIENT_ID)) ?? [];
    await secrets.end(CLIENT_ID, first?.secretId ?? '', { tokensToo: false });
    expect([await statuses(FIRST), await statuses('second')]).toEqual([REFUSED, ALLOWED]);
    // native-api 3.1: its tokens work until they expire.
    expect(await introspect(service.api, earlier)).toBe(200);
  });
});

describe('The end of the tokens of one secret', () => {
  it('reaches every process when it returns, and leaves the tokens of other secrets', async () => {
    await rotate('leaked');
    await rotate('kept');
    const another = await service.another();
    try {
      const [leaked, kept] = [await tokenFor('leaked'), await tokenFor('kept')];
      for (const api of [service.api, another.api])
        expect([await introspect(api, leaked), await introspect(api, kept)]).toEqual([200, 200]);
      const listed = await secrets.list(CLIENT_ID);
      const id = listed?.find(({ label }) => label === 'leaked')?.secretId ?? '';
      await secrets.end(CLIENT_ID, id, { tokensToo: true });
      for (const api of [service.api, another.api])
        expect([await introspect(api, leaked), await introspect(api, kept)]).toEqual([401, 200]);
    } finally {
      await another.close();
    }
  });
});
