import {
  KeyPairRepository,
  type PairLimits,
} from '../../../prisma/tenants/applications/key-pair.repository.js';
import { newKeyPair, type KeyPair } from '../../support/fixtures/key-pair.js';
import type { ApiClient } from '../../support/services/api-client.js';
import {
  connectedLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';

let service: ApiInProcess;
let pairs: KeyPairRepository;

beforeAll(async () => {
  service = await startApiInProcess();
  pairs = new KeyPairRepository(service.ctx);
});
afterAll(() => service.close());

const newPair = (limits: Partial<PairLimits>) => newKeyPair(service, limits);

type Pair = KeyPair;

const oauth = async (pair: Pair, scope = '') =>
  service.api.post('/oauth/token', {
    form: { ...pair, grant_type: 'client_credentials', scope },
  });

async function tokenOf(pair: Pair, scope = ''): Promise<string> {
  return ((await oauth(pair, scope)).body as { access_token: string }).access_token;
}

const status = async (api: ApiClient, token: string, path: string) =>
  (await api.as(token).get(path)).status;

async function plaid({ client_id, client_secret: secret }: Pair, path: string) {
  const response = await fetch(service.api.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id, secret, count: 1, offset: 0, country_codes: ['US'] }),
  });
  return ((await response.json()) as { error_code?: string }).error_code ?? response.status;
}

describe('A key pair with chosen scopes', () => {
  it('has them when a token names none, and no token has more', async () => {
    const pair = await newPair({ scopes: ['links:read', 'products:read'] });
    expect((await oauth(pair)).body).toMatchObject({ scope: 'links:read products:read' });
    // products:read includes it.
    expect((await oauth(pair, 'identity:read')).body).toMatchObject({ scope: 'identity:read' });
    const refused = await oauth(pair, 'links:read links:write');
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: 'invalid_scope',
        error_description: 'The scope is unknown, or not allowed for this key pair.',
      },
    ]);
    const native = await service.api.post('/auth/token', {
      form: { ...pair, scope: 'users:read' },
    });
    expect([native.status, native.body]).toMatchObject([
      400,
      { error_code: 'api_error.auth.unauthorized' },
    ]);
    expect(await plaid(pair, '/institutions/get')).toBe('UNAUTHORIZED_ROUTE_ACCESS');
  });

  it('reads accounts and transactions with transactions:read, and neither account numbers nor owners', async () => {
    const linkId = await connectedLink(service, await service.token('pocket-ledger'));
    const token = await tokenOf(await newPair({ scopes: ['transactions:read'] }));
    const statuses = async (paths: readonly string[]) =>
      Promise.all(paths.map((path) => status(service.api, token, `/links/${linkId}/${path}`)));
    expect(await statuses(['accounts', 'transactions', 'transactions/sync'])).toEqual([
      200, 200, 200,
    ]);
    const beyond = ['accounts/numbers', 'identity', 'transactions/txn_x/numbers'];
    expect(await statuses(beyond)).toEqual([401, 401, 401]);
  });

  it('narrows earlier tokens in every process when it is restricted', async () => {
    const pair = await newPair({});
    const token = await tokenOf(pair, 'links:read institutions:read products:read');
    const another = await service.another();
    try {
      for (const api of [service.api, another.api])
        expect(await status(api, token, '/links')).toBe(200);
      await pairs.restrict(pair.client_id, { scopes: ['institutions:read', 'identity:read'] });
      for (const api of [service.api, another.api]) {
        expect(await status(api, token, '/links')).toBe(401);
        expect(await status(api, token, '/institutions')).toBe(200);
      }
      const { body } = await service.api.as(token).get('/auth/introspect');
      expect(body).toMatchObject({ scope: 'institutions:read identity:read' });
    } finally {
      await another.close();
    }
  });
});

describe('GET /auth/introspect', () => {
  it('names the users or the links that a key pair is limited to, and its end', async () => {
    const shown = async (limits: Partial<PairLimits>) =>
      (await service.api.as(await tokenOf(await newPair(limits))).get('/auth/introspect')).body;
    const linkId = await connectedLink(service, await service.token('pocket-ledger'));
    const endsAt = new Date('2101-02-03T04:05:06.007Z');
    expect(await shown({ restriction: { users: ['user-1', 'user-2'] }, endsAt })).toMatchObject({
      restricted_to: { user_ids: ['user-1', 'user-2'], link_ids: null },
      ends_at: '2101-02-03T04:05:06.007',
    });
    expect(await shown({ restriction: { links: [linkId] } })).toMatchObject({
      restricted_to: { user_ids: null, link_ids: [linkId] },
      ends_at: null,
    });
  });
});

describe('A key pair with an end', () => {
  it('is as if disabled from then on, with its tokens, for every kind of caller', async () => {
    const pair = await newPair({ endsAt: new Date(Date.now() + 3_600_000) });
    const token = await tokenOf(pair);
    expect(await status(service.api, token, '/links')).toBe(200);
    await pairs.restrict(pair.client_id, { endsAt: new Date(Date.now() - 1) });
    expect(await status(service.api, token, '/links')).toBe(401);
    expect([(await oauth(pair)).body, await plaid(pair, '/institutions/get')]).toEqual([
      expect.objectContaining({ error: 'invalid_client' }),
      'UNAUTHORIZED_ENVIRONMENT',
    ]);
  });
});

describe('The erasure of a user', () => {
  it('takes its id out of key pairs, which then reach no user of that id', async () => {
    const pair = await newPair({ restriction: { users: ['erased-user'] } });
    const api = service.api.as(await tokenOf(pair));
    const session = {
      json: { customer_user: { id: 'erased-user' }, settings: { products: ['transactions'] } },
    };
    expect((await api.post('/link-session', session)).status).toBe(201);
    expect((await api.delete('/users/erased-user')).status).toBe(202);
    const listed = (await pairs.list('pocket-ledger')).find(
      (one) => one.clientId === pair.client_id,
    );
    expect(listed?.restriction).toEqual({ users: [] });
  });
});
