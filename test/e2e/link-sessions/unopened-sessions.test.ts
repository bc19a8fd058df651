import {
  clientId,
  clientSecret,
  openSession,
  startApiInProcess,
  type ApiInProcess,
  type AppId,
} from '../../support/services/api-in-process.js';

let service: ApiInProcess;
beforeAll(async () => {
  service = await startApiInProcess({ UNOPENED_SESSIONS_PER_APP: '3', LINK_SESSION_TTL: '10m' });
});
afterAll(async () => {
  await service?.close();
});
beforeEach(async () => {
  await service.database.prisma.linkSession.deleteMany();
});

/** Creates as many sessions as one app may leave unopened. */
async function fill(app: AppId): Promise<void> {
  for (let count = 0; count < 3; count += 1) expect((await create(app)).status).toBe(201);
}

const create = async (app: AppId) =>
  service.api
    .as(await service.token(app))
    .post('/link-session', { json: { customer_user: { id: 'user-1' } } });
/** The OpenAPI document describes only the native calls. */
async function createLinkToken(app: AppId): Promise<{ status: number; body: unknown }> {
  const request = {
    client_id: clientId(app, 'sandbox'),
    secret: clientSecret(app, 'sandbox'),
    client_name: 'App',
    language: 'en',
    country_codes: ['US'],
    products: ['transactions'],
    user: { client_user_id: 'user-1' },
  };
  const response = await fetch(`${service.api.baseUrl}/link/token/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  return { status: response.status, body: await response.json() };
}

describe('Unopened sessions', () => {
  it('are limited to UNOPENED_SESSIONS_PER_APP per app, in both layers', async () => {
    await fill('pocket-ledger');
    const refused = await create('pocket-ledger');
    expect(refused).toMatchObject({
      status: 429,
      body: { error_code: 'api_error.rate_limit_exceeded' },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(540);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
    expect(await createLinkToken('pocket-ledger')).toMatchObject({
      status: 429,
      body: { error_type: 'RATE_LIMIT_EXCEEDED' },
    });
    expect(await service.database.prisma.linkSession.count()).toBe(3);
  });

  it('count only for their own app', async () => {
    await fill('pocket-ledger');
    expect((await createLinkToken('rival')).status).toBe(200);
  });

  it('free their place when they are opened', async () => {
    const token = await service.token('rival');
    for (let count = 0; count < 5; count += 1) await openSession(service, token);
    expect((await create('rival')).status).toBe(201);
  });

  it('free their place when they expire', async () => {
    await fill('pocket-ledger');
    expect((await create('pocket-ledger')).status).toBe(429);
    await service.database.prisma.linkSession.updateMany({ data: { expiresAt: new Date(0) } });
    expect((await create('pocket-ledger')).status).toBe(201);
  });
});
