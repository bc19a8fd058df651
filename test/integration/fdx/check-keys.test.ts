import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { TRIAL_CERTIFICATE_SUBJECT } from '../../../simulators/vendors/fdx/trial-values.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { KeysRefused } from '../../../domain/errors/provider-failure.js';
import type { Configuration } from '../../../providers/adapter.js';
import { createFdxProvider, pinFdx } from '../../../providers/fdx/fdx-adapter.js';
import { FDX_SETTINGS, type FdxPublicSettings } from '../../../providers/fdx/settings.js';
import type { ConfigurationReport } from '../../../providers/contract/provider.js';
import { settingsFacts } from '../../../providers/settings-facts.js';
import {
  fdxAt,
  fdxConfiguration,
  linkAtFdx,
  pinnedFdxConfiguration,
  withEndedToken,
} from '../../support/fixtures/fdx-bank-configuration.js';
import { accessWith, loginContext } from '../../support/fixtures/provider-calls.js';

const REDIRECT_URI = 'http://127.0.0.1:9/connect/oauth/callback';
const { signal } = new AbortController();

describe('The check of an FDX configuration', () => {
  let bank: FdxBank;
  let pinned: Configuration;
  beforeAll(async () => {
    bank = await createFdxBank({ ledger: new Ledger() });
    pinned = await pinnedFdxConfiguration(bank);
  });
  afterAll(() => bank.close());

  /** The configuration of one institution only. */
  function only(remoteId: string, changes: Partial<FdxPublicSettings> = {}): Configuration {
    const settings = pinned.settings as FdxPublicSettings;
    const institutions = settings.institutions.filter((it) => it.remoteId === remoteId);
    return { ...pinned, settings: { ...settings, institutions, ...changes } };
  }
  const check = (configuration: Configuration) => createFdxProvider(configuration).check(signal);
  const failed = ({ lines }: ConfigurationReport) => lines.filter(({ ok }) => !ok);

  it('reports that keys, addresses, clock and redirect address are correct at every bank', async () => {
    const settings = { ...pinned.settings, redirectUri: REDIRECT_URI };
    const report = await check({ ...pinned, settings });
    expect(failed(report)).toEqual([]);
    expect(report).toMatchObject({ ok: true, keysRefused: false });
    const registered = report.lines.filter(({ what }) => what.endsWith('is registered'));
    expect(registered).toHaveLength(4);
  });

  it('reads no data and leaves no permission behind', async () => {
    const paths = bank.institutions.map(({ institution }) => `/${institution.id}/fdx`);
    const before = await requestsTo(paths);
    await check(pinned);
    expect(await requestsTo(paths)).toBe(before);
  });

  async function requestsTo(paths: readonly string[]): Promise<number> {
    const response = await fetch(`${bank.url}/simulator/requests`);
    const { requests } = (await response.json()) as { requests: { path: string }[] };
    return requests.filter(({ path }) => paths.some((start) => path.startsWith(start))).length;
  }

  it.each([
    ['a wrong client secret', 'wealth-fdx', { clientSecret: 'wrong' }],
    [
      'a signing key that the bank does not know',
      'first-fdx',
      {
        signingKey: generateKeyPairSync('ec', { namedCurve: 'P-256' })
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
      },
    ],
  ])('names %s, and calls the configuration refused', async (_, remoteId, secrets) => {
    const configuration = only(remoteId);
    const report = await check({
      ...configuration,
      secrets: { ...configuration.secrets, ...secrets },
    });
    expect(report).toMatchObject({ ok: false, keysRefused: true });
    expect(failed(report)).toMatchObject([
      {
        what: expect.stringContaining('accepts our keys'),
        remedy: expect.stringContaining('rotate'),
      },
    ]);
    expect(JSON.stringify(report)).not.toContain('PRIVATE KEY');
  });

  it('does not call a configuration refused when one bank of several refuses', async () => {
    const report = await check({
      ...pinned,
      secrets: { ...pinned.secrets, clientSecret: 'wrong' },
    });
    expect(report).toMatchObject({ ok: false, keysRefused: false });
    expect(failed(report)).toHaveLength(2);
  });

  it('reports when the client certificate expires, and the next steps once it has', async () => {
    const withCertificate = async (isExpired: boolean): Promise<Configuration> => {
      const order = { subject: TRIAL_CERTIFICATE_SUBJECT, isExpired };
      const { certificate, key } = await bank.certificates.issueForClient(order);
      const configuration = only('mtls-fdx');
      return {
        ...configuration,
        secrets: {
          ...configuration.secrets,
          clientCertificate: certificate,
          clientCertificateKey: key,
        },
      };
    };
    const good = await check(await withCertificate(false));
    expect(good).toMatchObject({ ok: true, keysRefused: false });
    expect(good.credentialsEndAt?.getTime()).toBeGreaterThan(Date.now());

    const expired = await check(await withCertificate(true));
    expect(expired).toMatchObject({ ok: false, keysRefused: true });
    expect(expired.credentialsEndAt?.getTime()).toBeLessThan(Date.now());
    expect(failed(expired).map(({ remedy }) => remedy)).toEqual([
      expect.stringContaining('Order a new certificate'),
      expect.stringContaining('certificate'),
    ]);
  });

  it('fails calls with an expired certificate as refused keys, but not where other banks are served', async () => {
    const { certificate, key } = await bank.certificates.issueForClient({
      subject: TRIAL_CERTIFICATE_SUBJECT,
      isExpired: true,
    });
    const linked = await linkAtFdx(
      createFdxProvider(only('mtls-fdx')),
      loginContext({ remoteId: 'mtls-fdx' }),
    );
    const credential = withEndedToken(linked.credential);
    const fetchWith = (configuration: Configuration): Promise<unknown> => {
      const secrets = { clientCertificate: certificate, clientCertificateKey: key };
      const expired = createFdxProvider({
        ...configuration,
        secrets: { ...configuration.secrets, ...secrets },
      });
      return expired
        .fetchAccounts(accessWith({ ...linked, credential }, 'mtls-fdx'))
        .catch((error: unknown) => error);
    };
    expect(await fetchWith(only('mtls-fdx'))).toBeInstanceOf(KeysRefused);
    const shared = await fetchWith(pinned);
    expect(shared).toMatchObject({ name: 'ProviderFailure', providerCause: 'internal' });
    expect(shared).not.toBeInstanceOf(KeysRefused);
  });

  it('names a redirect address that is not registered', async () => {
    const redirectUri = 'https://elsewhere.example/callback';
    const report = await check(only('first-fdx', { redirectUri }));
    expect(report).toMatchObject({ ok: false, keysRefused: false });
    expect(failed(report)).toMatchObject([
      { remedy: expect.stringContaining(`Register ${redirectUri}`) },
    ]);
  });

  it('names the differences from the pinned metadata', async () => {
    const configuration = only('first-fdx');
    const [institution] = (configuration.settings as FdxPublicSettings).institutions;
    if (!institution?.metadata) throw new Error('nothing is pinned');
    const metadata = { ...institution.metadata, jwks_uri: undefined };
    const authorization = 'http://127.0.0.1:1/auth';
    const changed = [
      { ...institution, metadata: { ...metadata, authorization_endpoint: authorization } },
    ];
    const report = await check(only('first-fdx', { institutions: changed }));
    expect(failed(report)).toMatchObject([
      {
        detail: 'differs in authorization_endpoint',
        remedy: expect.stringContaining('Ask the bank'),
      },
    ]);
  });

  it('asks to pin the metadata of a bank that has none pinned', async () => {
    const report = await check(fdxConfiguration(bank));
    expect(failed(report).map(({ detail }) => detail)).toEqual(
      Array.from({ length: 5 }, () => 'none are pinned, so no login goes there'),
    );
    expect(report.lines.filter(({ what }) => what.includes('accepts our keys'))).toEqual([]);
  });

  it('reports a bank that does not respond, without calling the keys refused', async () => {
    const unreachable = fdxAt(only('first-fdx'), 'http://127.0.0.1:9', { isPinned: false });
    const report = await unreachable.check(signal);
    expect(report).toMatchObject({ ok: false, keysRefused: false });
    expect(failed(report)).toMatchObject([
      { remedy: expect.stringContaining('firewall') },
      {
        detail: 'none are pinned, so no login goes there',
        remedy: expect.stringContaining('check again'),
      },
    ]);
  });

  it('names in advance the banks where no login is possible, and those that cannot revoke', async () => {
    const { settings } = pinned;
    expect(settingsFacts(FDX_SETTINGS, settings)).toEqual({
      unpinned: [],
      cannotRevoke: bank.institutions.flatMap(({ institution }) =>
        institution.hasRevocationEndpoint ? [] : [institution.id],
      ),
    });
    expect(settingsFacts(FDX_SETTINGS, fdxConfiguration(bank).settings)).toEqual({
      unpinned: bank.trial.institutions.map(({ id }) => id),
      cannotRevoke: [],
    });
  });

  it('pins the metadata that banks publish, once', async () => {
    const unpinned = fdxConfiguration(bank);
    const settings = { ...unpinned.settings, ...(await pinFdx(unpinned, signal)) };
    expect((settings as FdxPublicSettings).institutions).toMatchObject(
      bank.trial.institutions.map(({ id, issuer }) => ({
        remoteId: id,
        metadata: { token_endpoint: expect.stringContaining(new URL(issuer).hostname) },
      })),
    );
    expect(await pinFdx({ ...unpinned, settings }, signal)).toEqual({});
  });

  it('pins the others when a bank is down, and no metadata that names another issuer', async () => {
    const [down, foreign, other] = (fdxConfiguration(bank).settings as FdxPublicSettings)
      .institutions;
    if (!down || !foreign || !other) throw new Error('too few banks');
    const mixedUp = await serveDocument(await discoveryOf(other.issuer));
    const settings = {
      ...pinned.settings,
      institutions: [
        { ...down, issuer: 'http://127.0.0.1:9' },
        { ...foreign, issuer: mixedUp.origin },
        other,
      ],
    };
    const configuration = { ...pinned, settings };
    const change = (await pinFdx(configuration, signal)) as Partial<FdxPublicSettings>;
    expect(change.institutions?.map(({ metadata }) => metadata !== null)).toEqual([
      false,
      false,
      true,
    ]);
    const report = await check({ ...configuration, settings: { ...settings, ...change } });
    expect(failed(report).map(({ detail }) => detail)).toEqual([
      expect.stringContaining('not available'),
      expect.stringContaining('none are pinned'),
      expect.stringContaining('discovery names another issuer'),
      expect.stringContaining('none are pinned'),
    ]);
    await mixedUp.close();
  });

  async function discoveryOf(issuer: string): Promise<string> {
    return (await fetch(`${issuer}/.well-known/openid-configuration`)).text();
  }

  /** A server that returns this document for every request. */
  async function serveDocument(text: string) {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
      response.end(text);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      origin: `http://127.0.0.1:${port}`,
      close: () => promisify(server.close.bind(server))(),
    };
  }

  it('publishes the public key that the bank verifies our signatures with', async () => {
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const secrets = { signingKey: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
    const keys = FDX_SETTINGS.publicKeys({ secrets });
    bank.registerClient({ jwks: { keys } as never }, 'first-fdx');
    const configuration = only('first-fdx');
    const report = await check({ ...configuration, secrets });
    bank.registerClient(
      { jwks: { keys: [publicPart(bank.trial.clientKey)] } as never },
      'first-fdx',
    );
    expect(report.ok).toBe(true);
    expect(keys).toMatchObject([{ kty: 'EC', alg: 'ES256', use: 'sig', kid: expect.any(String) }]);
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });

  const publicPart = ({ d: _private, ...key }: Record<string, unknown>) => key;
});
