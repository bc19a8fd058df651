import { SCOPES } from '../../../domain/api/scopes.js';
import { ApplicationRepository } from '../../../prisma/tenants/applications/application.repository.js';
import { errorOf } from '../../support/services/api-client.js';
import {
  clientId,
  clientSecret,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';

let service: ApiInProcess;
beforeAll(async () => {
  service = await startApiInProcess();
});
afterAll(async () => {
  await service?.close();
});

const pair = {
  client_id: clientId('pocket-ledger', 'sandbox'),
  client_secret: clientSecret('pocket-ledger', 'sandbox'),
};
const basic = {
  authorization: `Basic ${Buffer.from(`${pair.client_id}:${pair.client_secret}`).toString('base64')}`,
};
const introspected = async (token: string) =>
  (await service.api.get('/auth/introspect', { token })).body as {
    client_id: string;
    scope: string;
    environment: string;
  };

// native-api 3.1
describe('POST /auth/token', () => {
  it.each([
    ['in response to a form', { form: { grant_type: 'client_credentials', ...pair } }],
    ['without grant_type, which defaults to client_credentials', { form: pair }],
    ['in response to Basic', { form: { grant_type: 'client_credentials' }, headers: basic }],
    [
      'in response to Basic and a form of the same client',
      { form: { client_id: pair.client_id }, headers: basic },
    ],
  ])('issues a token for an hour %s', async (_how, request) => {
    const { status, body } = await service.api.post('/auth/token', request);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        access_token: expect.stringMatching(/^[\w-]{43,256}$/),
        token_type: 'bearer',
        expires_in: 3600,
      },
    });
    expect((await introspected((body as { access_token: string }).access_token)).client_id).toBe(
      pair.client_id,
    );
  });

  it('issues a token for the environment of its key pair, whatever else the request says', async () => {
    const live = {
      client_id: clientId('pocket-ledger', 'live'),
      client_secret: clientSecret('pocket-ledger', 'live'),
    };
    const { body } = await service.api.post('/auth/token?environment=sandbox', {
      form: { ...live, environment: 'sandbox' },
      headers: { 'service-environment': 'sandbox' },
    });
    expect(await introspected((body as { access_token: string }).access_token)).toMatchObject({
      client_id: live.client_id,
      environment: 'live',
    });
  });

  it.each([
    ['', SCOPES.join(' ')],
    ['links:read products:read', 'links:read products:read'],
  ])('issues, for the scope %j, a token for %j', async (scope, expected) => {
    const token = await service.token('pocket-ledger', 'sandbox', scope);
    expect((await introspected(token)).scope).toBe(expected);
  });

  it('issues a different token each time, and all of them work', async () => {
    const tokens = [await service.token('pocket-ledger'), await service.token('pocket-ledger')];
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens)
      expect((await service.api.get('/links', { token })).status).toBe(200);
  });
});

describe('POST /oauth/token', () => {
  it.each([
    [
      'in response to a form',
      { form: { grant_type: 'client_credentials', ...pair, scope: 'links:read' } },
    ],
    [
      'in response to Basic',
      { form: { grant_type: 'client_credentials', scope: 'links:read' }, headers: basic },
    ],
  ])('issues the same tokens in the format of RFC 6749 %s', async (_how, request) => {
    const { status, body } = await service.api.post('/oauth/token', request);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        access_token: expect.any(String),
        token_type: 'bearer',
        expires_in: 3600,
        scope: 'links:read',
      },
    });
    const { access_token: token } = body as { access_token: string };
    expect((await service.api.get('/links', { token })).status).toBe(200);
    expect(errorOf(await service.api.get('/institutions', { token }))).toMatchObject({
      status: 401,
      code: 'api_error.auth.unauthorized',
    });
  });
});

describe('GET /auth/introspect', () => {
  it.each(SCOPES)('returns the owner of a token with only the scope %s', async (scope) => {
    const { status, body } = await service.api.get('/auth/introspect', {
      token: await service.token('pocket-ledger', 'sandbox', scope),
    });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        client_id: pair.client_id,
        client_name: 'pocket-ledger',
        scope,
        environment: 'sandbox',
        disabled_at: null,
        restricted_to: null,
        ends_at: null,
        app: {
          app_id: 'pocket-ledger',
          name: 'pocket-ledger',
          id: 'pocket-ledger',
          app_name: 'pocket-ledger',
        },
      },
    });
  });
});

// native-api 3.1: disabling a client ends its tokens at once
describe('The token of a disabled client', () => {
  const disable = (disabled: boolean) =>
    new ApplicationRepository(service.ctx).setDisabled(clientId('rival', 'live'), disabled);
  const status = async (token: string) => (await service.api.get('/links', { token })).status;

  it('is refused from the next call on, and works again when the client is enabled', async () => {
    const token = await service.token('rival', 'live');
    for (let time = 0; time < 3; time += 1) {
      expect(await status(token)).toBe(200);
      await disable(true);
      expect(await status(token)).toBe(401);
      await disable(false);
      expect(await status(token)).toBe(200);
    }
  });

  it('is refused from the next call on even when the API receives no notification', async () => {
    const token = await service.token('rival', 'live');
    expect(await status(token)).toBe(200);
    await service.database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    );
    await disable(true);
    expect(await status(token)).toBe(401);
    await disable(false);
  });
});

// native-api 3.2
describe('GET /.well-known/jwks.json', () => {
  it.each<[string, Record<string, string>]>([
    ['an anonymous caller', {}],
    ['a caller with an unknown token', { authorization: 'Bearer unknown' }],
    ['a caller that names a client', { 'x-client-id': 'no_one' }],
    ['a caller with a key pair', basic],
  ])('returns the same set to %s', async (_who, headers) => {
    const {
      status,
      headers: answered,
      text,
    } = await service.api.get('/.well-known/jwks.json', { headers });
    expect({ status, cacheControl: answered.get('cache-control') }).toEqual({
      status: 200,
      cacheControl: 'public, max-age=300',
    });
    expect(JSON.parse(text)).toEqual({ keys: expect.any(Array) });
    expect(text).toBe((await service.api.get('/.well-known/jwks.json')).text);
  });
});
