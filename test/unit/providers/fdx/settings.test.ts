import { generateKeyPairSync } from 'node:crypto';
import { COUNTRIES } from '../../../../domain/institutions/countries.js';
import { createFdxProvider } from '../../../../providers/fdx/fdx-adapter.js';
import { readAdapterSettings, SettingsRefused } from '../../../../providers/read-settings.js';
import { FDX_SETTINGS } from '../../../../providers/fdx/settings.js';

const BANK = {
  remoteId: 'first',
  name: 'First Bank',
  country: 'US',
  issuer: 'https://auth.first.example',
  fdxBase: 'https://api.first.example/fdx/v6',
  clientId: 'client-1',
  clientAuthentication: 'client_secret_basic',
};

const parse = (bank: object, settings: object = {}) =>
  FDX_SETTINGS.public.parse({ institutions: JSON.stringify([{ ...BANK, ...bank }]), ...settings });

function create(
  bank: object,
  {
    secrets = { clientSecret: 'secret' },
    environment = 'live',
    settings = {},
  }: { secrets?: Record<string, string>; environment?: 'live' | 'sandbox'; settings?: object } = {},
) {
  return createFdxProvider({
    adapter: 'fdx',
    name: 'fdx',
    environment,
    settings: parse(bank, settings),
    secrets,
  });
}

describe('The settings of FDX', () => {
  it('need a few facts of each bank, and offer all products', () => {
    const provider = create({});
    expect(provider.institutions()).toMatchObject([
      { remoteId: 'first', login: 'oauth', products: expect.arrayContaining(['transactions']) },
    ]);
    expect(provider.facts).toMatchObject({
      transactionIds: 'renewed_when_posted',
      idempotentLogin: false,
      historyDays: 730,
    });
  });

  it('keep the used parts of a discovery document', () => {
    const metadata = {
      issuer: BANK.issuer,
      authorization_endpoint: 'https://auth.first.example/auth',
      token_endpoint: 'https://auth.first.example/token',
      service_documentation: 'https://docs.first.example',
    };
    expect(parse({ metadata }).institutions[0]?.metadata).toEqual({
      authorization_endpoint: 'https://auth.first.example/auth',
      token_endpoint: 'https://auth.first.example/token',
    });
  });

  it.each([
    [{ remoteId: 'First Bank' }, 'small letters'],
    [{ clientAuthentication: 'none' }, 'client_secret_basic'],
    [{ products: ['transactions'] }, 'must include accounts'],
    [{ issuer: 'ftp://first.example' }, 'https'],
    [{ scopes: ['a b'] }, 'scopes'],
    [{ color: 'red' }, 'color'],
  ])('with %j are refused', (bank, message) => {
    expect(() => parse(bank)).toThrow(message);
  });

  it('keep the pinned values while the issuer of a bank is the same, and discard them on request', () => {
    const { pinned } = FDX_SETTINGS;
    const metadata = {
      authorization_endpoint: 'https://a.example',
      token_endpoint: 'https://t.example',
    };
    const second = { ...BANK, remoteId: 'second', issuer: 'https://auth.second.example' };
    const before = {
      institutions: [
        { ...BANK, metadata },
        { ...second, metadata },
      ],
    };
    const moved = { ...second, issuer: 'https://login.second.example' };
    const third = {
      ...BANK,
      remoteId: 'third',
      metadata: { ...metadata, token_endpoint: 'https://o.example' },
    };
    const given = { institutions: JSON.stringify([{ ...BANK, name: 'First' }, moved, third]) };
    expect(pinned.keep(given, before)).toEqual({
      institutions: [{ ...BANK, name: 'First', metadata }, { ...moved, metadata: null }, third],
    });
    expect(pinned.forget(before)).toEqual({ institutions: [BANK, second] });
  });

  it.each(['us', 'USA', 'JP', '', null])('refuse %j as a country, in words', (country) => {
    const institutions = [{ ...BANK, country }];
    expect(() =>
      readAdapterSettings(FDX_SETTINGS, {
        environment: 'live',
        settings: { institutions },
        secrets: {},
      }),
    ).toThrow(
      new SettingsRefused(
        'The setting "institutions.0.country": must be US, CA, GB or a country of the EEA, as its code of two letters.',
      ),
    );
  });

  it('accept every country that institutions can have', () => {
    for (const country of COUNTRIES)
      expect(parse({ country }).institutions[0]).toMatchObject({ country });
  });

  it('with the same bank twice, or no list, are refused', () => {
    expect(() => FDX_SETTINGS.public.parse({ institutions: [BANK, BANK] })).toThrow('twice');
    expect(() => FDX_SETTINGS.public.parse({ institutions: 'first' })).toThrow('JSON list');
  });
});

describe('An FDX configuration', () => {
  it.each([
    [{}, { secrets: {} }, 'first needs the secret clientSecret'],
    [{ clientAuthentication: 'private_key_jwt' }, {}, 'needs the secret signingKey'],
    [{ clientAuthentication: 'mtls' }, {}, 'needs the secret clientCertificate'],
    [{ issuer: 'http://auth.first.example' }, {}, 'must be https'],
    [{ fdxBase: 'http://api.first.example' }, {}, 'must be https'],
    [
      { fdxBase: 'http://10.0.0.1' },
      { environment: 'sandbox', settings: { allowLoopback: true } },
      'must be https',
    ],
    [{}, { settings: { allowLoopback: true } }, 'only for configurations of the Sandbox'],
    [{}, { secrets: { clientSecret: 's', signingKey: 'x' } }, 'neither a private JWK nor'],
    [{}, { secrets: { clientSecret: 's', clientCertificate: 'x' } }, 'one is missing'],
    [
      {},
      { secrets: { clientSecret: 's', clientCertificate: 'x', clientCertificateKey: 'y' } },
      'not PEM text',
    ],
    [
      {
        metadata: {
          authorization_endpoint: 'https://a.example',
          token_endpoint: 'http://a.example',
        },
      },
      {},
      'must be https',
    ],
  ] as const)('of %j with %j is refused in words', (bank, options, message) => {
    expect(() => create(bank, options)).toThrow(message);
  });

  it.each([
    ['rsa', { modulusLength: 2_048 }, 'PS256'],
    ['ec', { namedCurve: 'P-384' }, 'ES384'],
    ['ed25519', {}, 'EdDSA'],
  ])('publishes the public part of an %s key, and nothing else', (type, options, alg) => {
    const { privateKey } = generateKeyPairSync(type as 'rsa', options as { modulusLength: number });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const jwk = privateKey.export({ format: 'jwk' });
    const [fromPem] = FDX_SETTINGS.publicKeys({ secrets: { signingKey: pem } });
    const [fromJwk] = FDX_SETTINGS.publicKeys({ secrets: { signingKey: JSON.stringify(jwk) } });
    expect(fromPem).toMatchObject({ alg, use: 'sig' });
    expect(fromJwk).toEqual(fromPem);
    for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(fromPem).not.toHaveProperty(part);
  });

  it('publishes no key if it has none', () => {
    expect(FDX_SETTINGS.publicKeys({ secrets: { clientSecret: 'secret' } })).toEqual([]);
  });

  it('refuses a short RSA key', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => FDX_SETTINGS.publicKeys({ secrets: { signingKey } })).toThrow('2048');
  });
});
