import { ProviderConfigurationRepository } from '../../../prisma/work/providers/provider-configuration.repository.js';
import { eventually } from '../../support/assertions/eventually.js';
import { errorOf } from '../../support/services/api-client.js';
import { BANK, startApiInProcess } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { COFFEE, request } from './support/import-requests.js';

const NAME = 'moneykit';
const USER = { id: 'user-4711' };

apiOfFile({ SANDBOX_PROVIDER_NAME: NAME });

const call = (method: string, path: string, json?: unknown) =>
  service.api.as(token).send(method, path, json === undefined ? {} : { json });

const importLink = async (over: Record<string, unknown>) =>
  (await call('POST', '/links/import', request({ transactions: [COFFEE], ...over }))).body as {
    link_id: string;
    provider: string;
  };

/** The value of every field `provider` at any depth. */
function providersIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'provider' ? [inner] : providersIn(inner),
  );
}

describe('The name in SANDBOX_PROVIDER_NAME', () => {
  it.each([
    ['as the provider of an import', { provider: NAME }],
    ['in a dotted institution id', { institution_id: `${NAME}.${BANK}` }],
    ['beside sandbox, which an app may still send', { provider: 'sandbox' }],
  ])('is accepted %s, and only in responses stands for the stored one', async (_, over) => {
    const { link_id: linkId, provider } = await importLink(over);
    expect(provider).toBe(NAME);
    expect(await service.database.prisma.link.findUnique({ where: { linkId } })).toMatchObject({
      provider: 'sandbox',
    });
  });

  it('is the provider of a sandbox link in every response that has one', async () => {
    const { link_id: linkId } = await importLink({ provider: NAME });
    const reads = [
      `/links?provider=${NAME}`,
      '/links?provider=sandbox',
      `/links/${linkId}`,
      `/links/${linkId}/accounts`,
      `/links/${linkId}/transactions?start_date=2026-01-01`,
      `/links/${linkId}/transactions/sync`,
      `/users/${USER.id}/links`,
      `/users/${USER.id}/export`,
    ];
    for (const path of reads) {
      const { status, body } = await service.api.as(token).get(path);
      expect([path, status, new Set(providersIn(body))]).toEqual([path, 200, new Set([NAME])]);
    }
    expect(providersIn((await call('PATCH', `/links/${linkId}`, { tags: [] })).body)).toEqual([
      NAME,
    ]);
  });

  it.each([NAME, 'sandbox'])('lets a session name the sandbox provider as %s', async (provider) => {
    const settings = { products: ['transactions'], providers: [provider] };
    const body = { customer_user: USER, institution_id: BANK, settings };
    expect((await call('POST', '/link-session', body)).status).toBe(201);
    expect(
      await service.database.prisma.linkSession.findFirst({ orderBy: { createdAt: 'desc' } }),
    ).toMatchObject({ providers: ['sandbox'] });
  });

  it('is no provider by default', async () => {
    const standard = await startApiInProcess();
    const response = await standard.api
      .as(await standard.token('pocket-ledger'))
      .post('/link-session', {
        json: { customer_user: USER, settings: { providers: [NAME] } },
      });
    await standard.close();
    expect(errorOf(response)).toMatchObject({
      status: 422,
      locations: ['body.settings.providers.0'],
    });
  });
});

describe('An API whose SANDBOX_PROVIDER_NAME is that of a configured provider', () => {
  it.each([
    ['its name', { name: NAME, adapter: 'fdx' }],
    ['its adapter', { name: 'first-bank', adapter: NAME }],
  ])('serves no call until another name is set (%s)', async (_, named) => {
    const configurations = new ProviderConfigurationRepository(service.ctx);
    await configurations.add({
      ...named,
      environment: 'live',
      settings: {},
      secrets: {},
      publicKeys: null,
      maxLinks: null,
    });
    const { api, close } = await service.another();
    try {
      expect(errorOf(await api.as(token).get('/links'))).toMatchObject({
        status: 503,
        code: 'api_error.unavailable',
      });
      expect(await api.get('/health/ready')).toMatchObject({
        status: 503,
        body: { parts: { database: 'up', sandbox_provider_name: 'down' } },
      });
      expect(service.log()).toMatch(/"part":"sandbox_provider_name"[^\n]*SANDBOX_PROVIDER_NAME/);

      await configurations.remove(named.name);
      await eventually(async () => expect((await api.as(token).get('/links')).status).toBe(200));
    } finally {
      await close();
    }
  });
});
