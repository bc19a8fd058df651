import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createEnableBankingProvider } from '../../../../providers/enable-banking/enable-banking-adapter.js';
import { ENABLE_BANKING_SETTINGS } from '../../../../providers/enable-banking/settings.js';
import { newKeys } from '../../../support/fixtures/enable-banking-application.js';

const NEEDED = {
  applicationId: randomUUID(),
  redirectAddress: 'https://api.example/connect/oauth/callback',
};
const parse = (settings: object) => ENABLE_BANKING_SETTINGS.public.safeParse(settings);
const isKey = (privateKey: string) =>
  ENABLE_BANKING_SETTINGS.secret.safeParse({ privateKey }).success;

describe('The settings of Enable Banking', () => {
  it('need an application and a redirect address, and have defaults for the rest', () => {
    const { data } = parse(NEEDED);
    expect(data).toMatchObject({
      ...NEEDED,
      apiAddress: 'https://api.enablebanking.com',
      psuTypes: ['personal'],
    });
    expect(data?.countries).toHaveLength(30);
    expect(parse({}).error?.issues.map(({ path }) => path[0])).toEqual(Object.keys(NEEDED));
  });

  it.each([
    { applicationId: 'my-app' },
    { redirectAddress: 'ftp://api.example/' },
    { countries: ['Finland'] },
    { psuTypes: ['child'] },
    { countries: [] },
    { apiAdress: 'https://typo.example' },
  ])('refuse %j', (changes) => {
    expect(parse({ ...NEEDED, ...changes }).success).toBe(false);
  });

  it('accept an RSA key in both forms of PEM', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    expect(isKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toBe(true);
    expect(isKey(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString())).toBe(true);
  });

  it('refuse keys that cannot sign there, without quoting them', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey;
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    for (const text of [
      weak.export({ type: 'pkcs8', format: 'pem' }).toString(),
      curve.export({ type: 'pkcs8', format: 'pem' }).toString(),
      (await newKeys()).publicKey,
      'canary',
    ]) {
      const refused = ENABLE_BANKING_SETTINGS.secret.safeParse({ privateKey: text });
      expect(refused.success).toBe(false);
      expect(refused.error?.message).not.toContain(text.slice(0, 20));
    }
  });

  it.each([
    ['http to another machine', 'sandbox', 'http://api.example'],
    ['http in Live', 'live', 'http://127.0.0.1:4301'],
    ['credentials', 'live', 'https://user:pass@api.example'],
    ['a query', 'live', 'https://api.example/?a=b'],
  ] as const)('refuse an API address with %s', async (_what, environment, apiAddress) => {
    const { privateKey } = await newKeys();
    const create = () =>
      createEnableBankingProvider({
        adapter: 'enable-banking',
        name: 'enable-banking',
        environment,
        settings: ENABLE_BANKING_SETTINGS.public.parse({ ...NEEDED, apiAddress }),
        secrets: { privateKey },
      });
    expect(create).toThrow(/apiAddress/);
  });
});
