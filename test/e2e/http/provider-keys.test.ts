import { ProviderConfigurationRepository } from '../../../prisma/work/providers/provider-configuration.repository.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';

const KEY = { kty: 'EC', crv: 'P-256', x: 'AQ', y: 'Ag', kid: 'k1', use: 'sig', alg: 'ES256' };
const CONFIGURATION = {
  adapter: 'fdx',
  environment: 'live',
  settings: {},
  secrets: { client_key: 'canary-of-the-client-key' },
  maxLinks: null,
} as const;

let service: ApiInProcess;
let configurations: ProviderConfigurationRepository;
beforeAll(async () => {
  service = await startApiInProcess();
  configurations = new ProviderConfigurationRepository(service.ctx);
  await configurations.add({ ...CONFIGURATION, name: 'my-bank', publicKeys: [KEY] });
  await configurations.add({ ...CONFIGURATION, name: 'keyless', publicKeys: null });
});
afterAll(() => service.close());

describe('GET /provider-keys/{source}', () => {
  it('returns the client keys of a configuration to any caller, cacheable for five minutes', async () => {
    const { status, headers, body } = await service.api.get('/provider-keys/my-bank', {
      headers: { authorization: 'Bearer unknown' },
    });
    expect({ status, cacheControl: headers.get('cache-control') }).toEqual({
      status: 200,
      cacheControl: 'public, max-age=300',
    });
    expect(body).toEqual({ keys: [KEY] });
  });

  it('follows a rotation', async () => {
    const next = { ...KEY, kid: 'k2' };
    expect(await configurations.change('my-bank', 1, { publicKeys: [next] })).toBe(true);
    expect((await service.api.get('/provider-keys/my-bank')).body).toEqual({ keys: [next] });
  });

  it.each(['keyless', 'unknown', 'sandbox'])('returns 404 for %s', async (name) => {
    const { status, headers, body } = await service.api.get(`/provider-keys/${name}`);
    expect({ status, cacheControl: headers.get('cache-control') }).toEqual({
      status: 404,
      cacheControl: 'no-store',
    });
    expect(body).toMatchObject({ error_code: 'api_error.request.not_found' });
  });

  it('never publishes a private key', async () => {
    const privateKey = { ...KEY, d: 'canary-of-the-private-part' };
    await expect(
      configurations.add({ ...CONFIGURATION, name: 'careless', publicKeys: [privateKey] }),
    ).rejects.toThrow('private members');
    await expect(configurations.change('my-bank', 2, { publicKeys: [privateKey] })).rejects.toThrow(
      'private members',
    );
  });
});
