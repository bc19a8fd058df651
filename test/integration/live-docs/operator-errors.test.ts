import type { FdxInstitution } from '../../../providers/fdx/settings.js';
import { readPage } from './documented-commands.js';
import {
  addBank,
  check,
  REDIRECT,
  stage,
  startOperatorErrors,
  WRONG_SECRET,
  add,
  bank,
  setClockAheadMs,
  enableBanking,
  expired,
  originOf,
  simplefin,
} from './support/operator-errors-stage.js';
import { TRIAL_CERTIFICATE_SUBJECT } from '../../../simulators/vendors/fdx/trial-values.js';
import {
  registerApplication,
  REDIRECT_ADDRESS,
} from '../../support/fixtures/enable-banking-application.js';
import { testSimulator, type TestSimulator } from '../../support/services/vendor-simulators.js';

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
      setClockAheadMs(-3_600_000);
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
      setClockAheadMs(7_200_000);
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

startOperatorErrors();

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
  const shown = async (name: string) => {
    const { stdout } = await stage.run(['providers', 'show', name, '--json']);
    const { settings } = JSON.parse(stdout) as { settings: { institutions: FdxInstitution[] } };
    return settings.institutions;
  };
  const set = async (name: string, ...words: string[]) => {
    const { status, stderr } = await stage.run(['providers', 'set', name, ...words]);
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
    const [{ metadata, issuer } = { metadata: null, issuer: '' }] = await shown('pinned');
    expect(metadata?.token_endpoint).toContain(new URL(issuer).origin);
    expect(stage.output()).toContain('provider.pinned');
    await set('pinned', '--set', 'institutions=@first-fdx.json');
    expect((await shown('pinned'))[0]?.metadata).toEqual(metadata);
  });

  it('are reported when the bank publishes others, and replaced only by `--repin`', async () => {
    await addBank('first-fdx', 'repinned', '--secret signingKey=@client-key.json');
    await check('repinned');
    const [pinned] = await shown('repinned');
    if (!pinned?.metadata) throw new Error('nothing is pinned');
    const earlier = { ...pinned.metadata, revocation_endpoint: 'http://127.0.0.1:9/revoke' };
    await stage.write('earlier.json', JSON.stringify([{ ...pinned, metadata: earlier }]));
    await set('repinned', '--set', 'institutions=@earlier.json');
    expect((await check('repinned')).lines.filter(({ ok }) => !ok)).toMatchObject([
      {
        what: 'Harbour Federal Bank: its addresses are the pinned ones',
        detail: 'differs in revocation_endpoint',
        remedy: expect.stringContaining('providers set <name> --repin'),
      },
    ]);
    expect((await shown('repinned'))[0]?.metadata).toEqual(earlier);
    await set('repinned', '--repin');
    expect(await check('repinned')).toMatchObject({ ok: true, broken: false });
    expect((await shown('repinned'))[0]?.metadata).toEqual(pinned.metadata);
  });
});

it('The output contains no secret of a configuration that does not work', () => {
  expect(stage.output()).toContain('provider.checked');
  expect(stage.output()).not.toContain(WRONG_SECRET);
  expect(stage.output()).not.toContain('PRIVATE KEY');
});
