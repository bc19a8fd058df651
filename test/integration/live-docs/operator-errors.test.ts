import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createFdxBank } from '../../../apps/vendor-simulators/src/fdx-bank/create-fdx-bank.js';
import type { FdxBank } from '../../../apps/vendor-simulators/src/fdx-bank/fdx-bank.types.js';
import { TRIAL_CERTIFICATE_SUBJECT } from '../../../apps/vendor-simulators/src/fdx-bank/trial-values.js';
import { Ledger } from '../../../apps/vendor-simulators/src/ledger/ledger.js';
import { createEnableBankingProvider } from '../../../providers/enable-banking/enable-banking-adapter.js';
import { ENABLE_BANKING } from '../../../providers/enable-banking/manifest.js';
import { createFdxProvider, pinFdx } from '../../../providers/fdx/fdx-adapter.js';
import { FDX } from '../../../providers/fdx/manifest.js';
import type { FdxInstitution } from '../../../providers/fdx/settings.js';
import { SIMPLEFIN } from '../../../providers/simplefin/manifest.js';
import { createSimplefinProvider } from '../../../providers/simplefin/simplefin-adapter.js';
import { readPage } from './documented-commands.js';
import {
  newKeys,
  registerApplication,
  REDIRECT_ADDRESS,
} from '../../support/fixtures/enable-banking-application.js';
import { EXPIRED_CERTIFICATE } from './expired-certificate.js';
import { fdxConfiguration } from '../../support/fixtures/fdx-bank-configuration.js';
import { openOperatorStage, type OperatorStage } from './operator-stage.js';
import {
  startVendorSimulator,
  testSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const WRONG_SECRET = 'canary-of-a-wrong-client-secret';
const REDIRECT = 'http://127.0.0.1:9/connect/oauth/callback';

let stage: OperatorStage;
let simplefin: TestSimulator;
let enableBanking: TestSimulator;
let bank: FdxBank;
/** A server whose certificate has expired. */
const expired = createServer(EXPIRED_CERTIFICATE, (_, response) => response.end());
const originOf = (server: Server) => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
/** The time by which the worker's clock is ahead. */
let clockAheadMs = 0;
const now = () => new Date(Date.now() + clockAheadMs);

beforeAll(async () => {
  await once(expired.listen(0, '127.0.0.1'), 'listening');
  simplefin = await startVendorSimulator('simplefin');
  enableBanking = await startVendorSimulator('enable-banking');
  bank = await createFdxBank({ ledger: new Ledger() });
  stage = await openOperatorStage([
    { ...SIMPLEFIN, create: (given) => createSimplefinProvider(given) },
    { ...ENABLE_BANKING, create: (given) => createEnableBankingProvider(given, { now }) },
    { ...FDX, create: (given) => createFdxProvider(given, { now }), pin: pinFdx },
  ]);
  const { settings, secrets } = fdxConfiguration(bank);
  for (const institution of settings['institutions'] as FdxInstitution[])
    await stage.write(`${institution.remoteId}.json`, JSON.stringify([institution]));
  await stage.write('authority.pem', bank.trial.certificateAuthority);
  await stage.write('client-key.json', secrets['signingKey'] ?? '');
  const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  await stage.write('other-key.pem', otherKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  await stage.write('other-rsa-key.pem', (await newKeys()).privateKey);
});
afterAll(async () => {
  await stage?.close();
  await bank?.close();
  await enableBanking?.close();
  await simplefin?.close();
  expired.close();
});
afterEach(async () => {
  clockAheadMs = 0;
  await simplefin.reset();
  await testSimulator(bank).reset();
});

/** Adds a configuration of the Sandbox with the words of a command. */
async function add(adapter: string, name: string, words: string, typed = ''): Promise<void> {
  const start = ['providers', 'add', adapter, '--name', name, '--environment', 'sandbox'];
  const { status, stderr } = await stage.run([...start, ...words.split(' ')], typed);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

const addSimplefin = (name: string, origin: string) =>
  add(
    'simplefin',
    name,
    `--set server=${origin}/simplefin --set hosts=${new URL(origin).host} --set allowLoopback=true`,
  );

async function addApplication(
  name: string,
  { key = 'application.pem', ...changes }: Record<string, unknown> & { key?: string } = {},
): Promise<void> {
  const application = await registerApplication(enableBanking.url, changes);
  await stage.write('application.pem', application.privateKey);
  await add(
    'enable-banking',
    name,
    `--set apiAddress=${enableBanking.url} --set applicationId=${application.applicationId} --set redirectAddress=${REDIRECT_ADDRESS} --secret privateKey=@${key}`,
  );
}

const addBank = (remoteId: string, name: string, words: string, typed = '') =>
  add(
    'fdx',
    name,
    `--set institutions=@${remoteId}.json --set certificateAuthority=@authority.pem --set allowLoopback=true ${words}`,
    typed,
  );

async function addBankWithCertificate(
  name: string,
  order: { subject: string; isExpired: boolean },
): Promise<void> {
  const { certificate, key } = await bank.certificates.issueForClient(order);
  await stage.write(`${name}.crt`, certificate);
  await stage.write(`${name}.key`, key);
  const secrets = `--secret clientCertificate=@${name}.crt --secret clientCertificateKey=@${name}.key`;
  await addBank('mtls-fdx', name, secrets);
}

/** The response of a shield to an address that it does not know. */
const refuse = (simulator: TestSimulator, path: string) =>
  simulator.script('html_403', { path, times: 20 });

/**
 * The party at fault, the mistake, the output of `providers check`, the next steps, and the words
 * that its page repeats.
 */
type Case = [
  adapter: string,
  error: string,
  prepare: (name: string) => Promise<unknown>,
  says: RegExp,
  remedy: string,
  onPage: string,
];

const CASES: Case[] = [
  [
    'simplefin',
    'an address that is not allowed',
    async (name) => {
      await refuse(simplefin, '/simplefin/info');
      await addSimplefin(name, simplefin.url);
    },
    /the SimpleFIN server answers: A page was returned instead of an answer\. \(status 403\)/,
    'The address of this machine may not be allowed',
    'A page was returned instead of an answer.',
  ],
  [
    'simplefin',
    'an expired certificate, or a clock that makes it one',
    (name) => addSimplefin(name, originOf(expired)),
    /the SimpleFIN server answers: .*\(CERT_HAS_EXPIRED\)/,
    'Set the clock of this machine',
    '(CERT_HAS_EXPIRED)',
  ],
  [
    'enable-banking',
    'a wrong key',
    (name) => addApplication(name, { key: 'other-rsa-key.pem' }),
    /the application accepts the private key: .*\(UNAUTHORIZED_ACCESS\)/,
    'providers rotate',
    'the application accepts the private key: … (UNAUTHORIZED_ACCESS)',
  ],
  [
    'enable-banking',
    'an address that is not allowed',
    (name) => addApplication(name, { isAddressAllowed: false }),
    /the address of this machine is allowed: .*\(UNAUTHORIZED_IP\)/,
    'Add the public address',
    'the address of this machine is allowed: … (UNAUTHORIZED_IP)',
  ],
  [
    'enable-banking',
    'a wrong clock',
    (name) => {
      clockAheadMs = -3_600_000;
      return addApplication(name);
    },
    /the clock of this machine is right: 3\d\d\d s behind Enable Banking/,
    'Set the clock of every machine',
    'the clock of this machine is right',
  ],
  [
    'enable-banking',
    'a redirect address that is not registered',
    (name) => addApplication(name, { redirectUrls: [`${REDIRECT_ADDRESS}/`] }),
    /the redirect address is registered: .* is not among the 1 of the application/,
    `Add ${REDIRECT_ADDRESS} to the redirect URLs`,
    'the redirect address is registered: … is not among the 1 of the application',
  ],
  [
    'fdx',
    'an expired client certificate',
    (name) => addBankWithCertificate(name, { subject: TRIAL_CERTIFICATE_SUBJECT, isExpired: true }),
    /the client certificate is valid: until \d{4}-/,
    'Order a new certificate',
    'the client certificate is valid',
  ],
  [
    'fdx',
    'a client certificate of someone else',
    (name) => addBankWithCertificate(name, { subject: 'CN=another-client', isExpired: false }),
    /Meridian Bank, partner access: the bank accepts our keys: The bank refused/,
    'Compare the subject of the client certificate',
    'the bank accepts our keys',
  ],
  [
    'fdx',
    'a wrong client secret',
    (name) => addBank('plain-fdx', name, '--secret clientSecret=prompt', WRONG_SECRET),
    /Prairie Credit Union: the bank accepts our keys: The bank refused the keys/,
    'replace the clientSecret: providers rotate',
    'the bank accepts our keys',
  ],
  [
    'fdx',
    'a signing key that the bank does not know',
    (name) => addBank('first-fdx', name, '--secret signingKey=@other-key.pem'),
    /Harbour Federal Bank: the bank accepts our keys: The bank refused the keys/,
    'Register the public key at the bank',
    'the bank accepts our keys',
  ],
  [
    'fdx',
    'an address that is not allowed',
    async (name) => {
      await refuse(testSimulator(bank), '/first-fdx/.well-known/*');
      await addBank('first-fdx', name, '--secret signingKey=@client-key.json');
    },
    /the authorization server answers: .*its address may not be allowed\. \(status 403\)/,
    'Ask the bank to allow the public address',
    'its address may not be allowed',
  ],
  [
    'fdx',
    'a wrong clock',
    (name) => {
      clockAheadMs = 7_200_000;
      return addBank('first-fdx', name, '--secret signingKey=@client-key.json');
    },
    /its clock and ours agree: ours is 7\d\d\d s ahead/,
    'Set the clock of this machine',
    'its clock and ours agree',
  ],
  [
    'fdx',
    'a redirect address that is not registered',
    (name) =>
      addBank(
        'first-fdx',
        name,
        `--set redirectUri=${REDIRECT}/ --secret signingKey=@client-key.json`,
      ),
    /the redirect address is registered: The bank refused the login request/,
    `Register ${REDIRECT}/ at the bank`,
    'the redirect address is registered',
  ],
];

it.each(CASES)(
  '%s: `providers check` names %s, and the page explains the next steps',
  async (adapter, error, prepare, says, remedy, onPage) => {
    const name = `c${CASES.findIndex((it) => it[0] === adapter && it[1] === error)}`;
    await prepare(name);
    const { lines, broken } = await check(name);
    const [line, ...others] = lines.filter(({ ok }) => !ok);
    expect(`${line?.what}: ${line?.detail}`).toMatch(says);
    expect(line?.remedy).toContain(remedy);
    expect(readPage(`docs/live/${adapter}.md`)).toContain(onPage);
    // Keys are only judged when the clock is right.
    if (!error.includes('clock')) return;
    expect(broken).toBe(false);
    expect(others.every((other) => other.remedy === 'Set the clock first.')).toBe(true);
    expect(others).toHaveLength(adapter === 'simplefin' ? 0 : 1);
  },
);

interface Checked {
  ok: boolean;
  broken: boolean;
  lines: { what: string; ok: boolean; detail: string | null; remedy: string | null }[];
}

async function check(name: string): Promise<Checked> {
  const { stdout } = await stage.run(['providers', 'check', name, '--json']);
  return JSON.parse(stdout) as Checked;
}

it.each([
  [
    'simplefin',
    'add simplefin --set server=https://other.example/simplefin',
    'The setting "server": must be at one of the hosts.',
  ],
  [
    'simplefin',
    'add simplefin --set allowLoopback=true',
    'The setting "allowLoopback" is only for configurations of the Sandbox: Live never connects to this machine.',
  ],
  [
    'fdx',
    'add fdx --set institutions=@first-fdx.json --secret signingKey=@client-key.json',
    'The setting "institutions.0.issuer" names this machine or a private network, to which Live never connects.',
  ],
  [
    'enable-banking',
    `add enable-banking --set apiAddress=https://10.0.0.5 --set applicationId=cf589be3-3755-465b-a8df-a90a16a31403 --set redirectAddress=${REDIRECT} --secret privateKey=@application.pem`,
    'The setting "apiAddress" names this machine or a private network, to which Live never connects.',
  ],
  [
    'enable-banking',
    `add enable-banking --set applicationId=cf589be3-3755-465b-a8df-a90a16a31403 --set redirectAddress=${REDIRECT} --secret privateKey=@other-key.pem`,
    'The secret "privateKey": must be an RSA private key of at least 2048 bits as PEM.',
  ],
])(
  '%s: settings that cannot work are refused in the words of the page',
  async (adapter, words, message) => {
    const { status, stderr } = await stage.run(['providers', ...words.split(' ')]);
    expect(status).toBe(1);
    expect(stderr.split('\n')).toContain(message);
    expect(readPage(`docs/live/${adapter}.md`)).toContain(message);
  },
);

describe('The addresses of an FDX bank', () => {
  const shown = async () => {
    const { stdout } = await stage.run(['providers', 'show', 'pinned', '--json']);
    const { settings } = JSON.parse(stdout) as { settings: { institutions: FdxInstitution[] } };
    return settings.institutions;
  };
  const set = async (...words: string[]) => {
    const { status, stderr } = await stage.run(['providers', 'set', 'pinned', ...words]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  };

  it('are pending while the bank does not respond: no login is routed there, and the page explains the next steps', async () => {
    const facts = () =>
      stage.storage.ctx.database.prisma.providerConfiguration.findUniqueOrThrow({
        where: { name: 'unpinned' },
        select: { unpinned: true, cannotRevoke: true },
      });
    const [first] = JSON.parse(await stage.read('first-fdx.json')) as FdxInstitution[];
    await stage.write('silent.json', JSON.stringify([{ ...first, issuer: 'http://127.0.0.1:9' }]));
    await addBank('silent', 'unpinned', '--secret signingKey=@client-key.json');
    const report = await check('unpinned');
    expect(await facts()).toEqual({ unpinned: ['first-fdx'], cannotRevoke: [] });
    const detail = 'none are pinned, so no login goes there';
    expect(report.lines).toContainEqual(expect.objectContaining({ ok: false, detail }));
    expect(readPage('docs/live/fdx.md')).toContain(detail);
    await stage.run(['providers', 'set', 'unpinned', '--set', 'institutions=@first-fdx.json']);
    await check('unpinned');
    expect(await facts()).toEqual({ unpinned: [], cannotRevoke: [] });
  });

  it('are pinned by the worker after `providers add`, and kept by a change', async () => {
    await addBank('first-fdx', 'pinned', '--secret signingKey=@client-key.json');
    expect(await check('pinned')).toMatchObject({ ok: true });
    const [{ metadata, issuer } = { metadata: null, issuer: '' }] = await shown();
    expect(metadata?.token_endpoint).toContain(new URL(issuer).origin);
    expect(stage.output()).toContain('provider.pinned');
    await set('--set', 'institutions=@first-fdx.json');
    expect((await shown())[0]?.metadata).toEqual(metadata);
  });

  it('are reported when the bank publishes others, and replaced only by `--repin`', async () => {
    const [pinned] = await shown();
    if (!pinned?.metadata) throw new Error('nothing is pinned');
    const earlier = { ...pinned.metadata, revocation_endpoint: 'http://127.0.0.1:9/revoke' };
    await stage.write('earlier.json', JSON.stringify([{ ...pinned, metadata: earlier }]));
    await set('--set', 'institutions=@earlier.json');
    expect((await check('pinned')).lines.filter(({ ok }) => !ok)).toMatchObject([
      {
        what: 'Harbour Federal Bank: its addresses are the pinned ones',
        detail: 'differs in revocation_endpoint',
        remedy: expect.stringContaining('providers set <name> --repin'),
      },
    ]);
    expect((await shown())[0]?.metadata).toEqual(earlier);
    await set('--repin');
    expect(await check('pinned')).toMatchObject({ ok: true, broken: false });
    expect((await shown())[0]?.metadata).toEqual(pinned.metadata);
  });
});

it('The output contains no secret of a configuration that does not work', () => {
  expect(stage.output()).toContain('provider.checked');
  expect(stage.output()).not.toContain(WRONG_SECRET);
  expect(stage.output()).not.toContain('PRIVATE KEY');
});
