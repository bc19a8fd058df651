import { execFile, spawnSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { TRIAL_CLIENT_SECRET } from '../../../simulators/vendors/fdx/trial-values.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { createEnableBankingProvider } from '../../../providers/enable-banking/enable-banking-adapter.js';
import { ENABLE_BANKING_SETTINGS } from '../../../providers/enable-banking/settings.js';
import { FDX_SETTINGS, type FdxInstitution } from '../../../providers/fdx/settings.js';
import {
  documentedCommands,
  documentedFiles,
  documentedShellLines,
  type DocumentedCommand,
  LIVE_PAGES,
  readPage,
} from './documented-commands.js';
import {
  enableBankingConfiguration,
  newKeys,
  registerApplication,
} from '../../support/fixtures/enable-banking-application.js';
import { fdxConfiguration } from '../../support/fixtures/fdx-bank-configuration.js';
import { openOperatorStage, type OperatorStage } from './operator-stage.js';
import { storeLink } from '../../support/fixtures/stored-link.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';
import { representatives } from '../../support/runner/representatives.js';
import type { Adapter, Configuration } from '../../../providers/adapter.js';
import { ENABLE_BANKING } from '../../../providers/enable-banking/manifest.js';
import { createFdxProvider, pinFdx } from '../../../providers/fdx/fdx-adapter.js';
import { FDX } from '../../../providers/fdx/manifest.js';
import { SIMPLEFIN } from '../../../providers/simplefin/manifest.js';
import { createSimplefinProvider } from '../../../providers/simplefin/simplefin-adapter.js';
import { simplefinConfiguration } from '../../support/fixtures/simplefin-server.js';

/**
 * The adapters, each of which accepts the settings of its page unchanged, and then calls a
 * simulator instead of the vendor.
 */
const adaptersAtSimulators = (urls: { simplefin: string; 'enable-banking': string }): Adapter[] => [
  {
    ...SIMPLEFIN,
    create: (configuration) => {
      createSimplefinProvider(configuration);
      return createSimplefinProvider(simplefinConfiguration(urls.simplefin));
    },
  },
  {
    ...ENABLE_BANKING,
    create: (configuration) => {
      const { check, listInstitutions } = createEnableBankingProvider({
        ...configuration,
        environment: 'sandbox',
        settings: { ...configuration.settings, apiAddress: urls['enable-banking'] },
      });
      return { ...createEnableBankingProvider(configuration), check, listInstitutions };
    },
  },
  {
    ...FDX,
    // The banks of the configuration are those of the simulator, on this machine.
    settings: { ...FDX.settings, refusedIn: () => [] },
    create: (configuration) => createFdxProvider(onThisMachine(configuration)),
    pin: (configuration, signal) => pinFdx(onThisMachine(configuration), signal),
  },
];

const onThisMachine = ({ settings, ...configuration }: Configuration): Configuration => ({
  ...configuration,
  environment: 'sandbox',
  settings: { ...settings, allowLoopback: true },
});

const REDIRECT_ADDRESS = 'https://tributary.example.org/connect/oauth/callback';
const FDX_PAGE = 'docs/live/fdx.md';

let stage: OperatorStage;
let simulators: Record<'simplefin' | 'enable-banking', TestSimulator>;
let bank: FdxBank;
/** The values of the placeholders of the pages. */
const values = new Map([
  ['<app>', 'pocket-ledger'],
  ['<country>', 'FI'],
  ['<institution_id>', 'test-bank'],
  ['<remote_id>', 'bank-1'],
  ['<configuration>', 'routed'],
  ['<configuration>…', 'routed'],
  ['NAME', 'first-bank'],
]);

beforeAll(async () => {
  simulators = {
    simplefin: await startVendorSimulator('simplefin'),
    'enable-banking': await startVendorSimulator('enable-banking'),
  };
  bank = await createFdxBank({ ledger: new Ledger() });
  stage = await openOperatorStage(
    adaptersAtSimulators({
      simplefin: simulators.simplefin.url,
      'enable-banking': simulators['enable-banking'].url,
    }),
  );
  await reachTestBankThrough('routed');
  values.set('<link_id>', (await storeLink(stage.storage)).linkId);
  await writeEnableBankingFiles();
  await writeFdxFiles();
});
afterAll(async () => {
  await stage?.close();
  await bank?.close();
  for (const simulator of Object.values(simulators ?? {})) await simulator.close();
});

async function reachTestBankThrough(provider: string): Promise<void> {
  await stage.run(['providers', 'add', 'simplefin', '--name', provider]);
  await stage.storage.ctx.database.prisma.institutionRoute.create({
    data: {
      institutionId: 'test-bank',
      provider,
      remoteId: 'bank-1',
      login: 'none',
      products: ['accounts'],
    },
  });
  await stage.storage.ctx.database.prisma.catalogEntry.create({
    data: {
      provider,
      remoteId: 'bank-1',
      facts: { name: 'Test Bank', country: 'US', environment: 'sandbox' },
      factsSha256: Buffer.alloc(32),
      institutionId: 'test-bank',
      matchedBy: 'new',
      doubts: [],
    },
  });
}

async function writeEnableBankingFiles(): Promise<void> {
  const { privateKey } = await registerApplication(simulators['enable-banking'].url, {
    id: 'cf589be3-3755-465b-a8df-a90a16a31403',
    redirectUrls: [REDIRECT_ADDRESS, 'http://127.0.0.1:4000/connect/oauth/callback'],
  });
  await stage.write('enable-banking.pem', privateKey);
  await stage.write('new-key.pem', (await newKeys()).privateKey);
}

/** The files that the page names, with the values of simulated banks. */
async function writeFdxFiles(): Promise<void> {
  const { settings, secrets } = fdxConfiguration(bank);
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const signingKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const keys = FDX_SETTINGS.publicKeys({ secrets: { signingKey } });
  bank.registerClient({ jwks: { keys } as never, redirectUris: [REDIRECT_ADDRESS] }, 'first-fdx');
  const valuesOf = (remoteId: string): FdxInstitution | undefined =>
    (settings['institutions'] as FdxInstitution[]).find((it) => it.remoteId === remoteId);
  const [[documented], simulated] = documentedFiles(FDX_PAGE) as [[object], object[]];
  const { issuer, fdxBase, clientId } = valuesOf('first-fdx') ?? {};
  await stage.write('banks.json', JSON.stringify([{ ...documented, issuer, fdxBase, clientId }]));
  await stage.write('second-bank.json', JSON.stringify([valuesOf('wealth-fdx')]));
  const atSimulator = JSON.stringify(simulated).replaceAll('http://127.0.0.1:4312', bank.url);
  await stage.write('simulated-bank.json', atSimulator);
  await stage.write('third-bank.json', JSON.stringify([valuesOf('mtls-fdx')]));
  await stage.write('authority.pem', bank.trial.certificateAuthority);
  await stage.write('signing-key.pem', signingKey);
  await stage.write('client.pem', secrets['clientCertificate'] ?? '');
  await stage.write('client-key.pem', secrets['clientCertificateKey'] ?? '');
}

const all = LIVE_PAGES.flatMap(documentedCommands).map(({ args }) => args.join(' '));

/** Named in a sentence, while another command runs it with its arguments. */
const isMention = ({ args, isInSentence }: DocumentedCommand): boolean =>
  isInSentence && all.some((other) => other.startsWith(`${args.join(' ')} `));

const substituted = (command: readonly string[]): string[] =>
  command.map((word) => {
    const value = values.get(word);
    if (value === undefined && /^<|^[A-Z]+$|…/.test(word))
      throw new Error(`what stands for ${word}?`);
    return value ?? word;
  });

const withCommands = LIVE_PAGES.filter((page) => documentedCommands(page).length > 0);

describe.each(withCommands)('%s', (page) => {
  it('has commands that all work in their order, and print no secret', async () => {
    const commands = documentedCommands(page).filter((command) => !isMention(command));
    for (const { args } of commands) {
      const command = substituted(args);
      const [group, verb, name = ''] = command;
      const ended =
        group === 'institutions' && verb === 'sync'
          ? await stage.sync(name)
          : await stage.run(command, TRIAL_CLIENT_SECRET);
      const printed = expect.stringMatching(/\S/) as string;
      expect({ command, ...ended }).toEqual({ command, status: 0, stderr: '', stdout: printed });
    }
    expect(stage.output()).not.toContain('PRIVATE KEY');
    expect(stage.output()).not.toContain(TRIAL_CLIENT_SECRET);
  });
});

it('docs/live has every adapter added, checked and removed', () => {
  for (const [adapter, name] of [
    ['simplefin', 'simplefin'],
    ['enable-banking', 'enable-banking'],
    ['fdx', 'first-bank'],
  ])
    for (const start of [`add ${adapter}`, `check ${name}`, `disable ${name}`, `remove ${name}`])
      expect(all.filter((command) => command.startsWith(`providers ${start}`))).not.toEqual([]);
});

const has = (program: string, version: string): boolean =>
  spawnSync(program, [version]).status === 0;
const withPrograms = has('openssl', 'version') && has('curl', '--version') ? it : it.skip;

withPrograms('docs/live has shell commands that make and register keys which work', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-keys-'));
  for (const line of LIVE_PAGES.flatMap(documentedShellLines)) {
    // Scripts of the project have tests of their own.
    if (/^(UPDATE_PROOF=1 )?npm (run|test) /.test(line)) continue;
    expect(line).toMatch(/^(openssl|curl) /);
    const atSimulator = line.replace('http://127.0.0.1:4311', simulators['enable-banking'].url);
    await promisify(execFile)('sh', ['-c', atSimulator], { cwd: folder });
  }
  const made = (name: string) => readFile(join(folder, name), 'utf8');
  const privateKey = await made('enable-banking.pem');
  expect(ENABLE_BANKING_SETTINGS.secret.safeParse({ privateKey }).success).toBe(true);
  const application = {
    url: simulators['enable-banking'].url,
    applicationId: 'cf589be3-3755-465b-a8df-a90a16a31403',
    privateKey,
  };
  const registered = createEnableBankingProvider(
    enableBankingConfiguration(application, {
      redirectAddress: 'http://127.0.0.1:4000/connect/oauth/callback',
    }),
  );
  const { lines } = await registered.check(AbortSignal.timeout(30_000));
  expect(lines.filter(({ ok }) => !ok)).toEqual([]);
  const signingKey = await made('signing-key.pem');
  expect(FDX_SETTINGS.publicKeys({ secrets: { signingKey } })).toMatchObject([{ alg: 'ES256' }]);
  await rm(folder, { recursive: true });
});

it('docs/live/fdx.md shows banks that the adapter accepts unchanged, and the secret of the simulated one', () => {
  for (const institutions of documentedFiles(FDX_PAGE))
    expect(FDX_SETTINGS.public.safeParse({ institutions }).error).toBe(undefined);
  expect(readPage(FDX_PAGE)).toContain(`\`${TRIAL_CLIENT_SECRET}\``);
});

it('docs/live/fdx.md lists every setting of a bank', () => {
  const [bank] = FDX_SETTINGS.public.parse({
    institutions: documentedFiles(FDX_PAGE)[0],
  }).institutions;
  const table =
    readPage(FDX_PAGE).match(/(?<=^\| Setting of each of `institutions` .*\n)[^]*?^<!--/m)?.[0] ??
    '';
  const listed = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(listed.sort()).toEqual(Object.keys(bank ?? {}).sort());
});

it('docs/live has every adapter synchronized after it is added', () => {
  for (const name of ['simplefin', 'enable-banking', 'first-bank'])
    expect(all).toContain(`institutions sync ${name}`);
});

const WRONG_KEYS: readonly [what: string, keyOf: () => Promise<string>][] = [
  ['a private key', async () => (await newKeys()).privateKey],
  ['a key in PKCS#1', async () => pkcs1((await newKeys()).publicKey)],
  ['a key of another kind', () => Promise.resolve(ellipticKey())],
  ['a short key', () => Promise.resolve(shortKey())],
  ['no PEM', () => Promise.resolve('cf589be3')],
];
// One rule refuses them all.
const wrongKeys = representatives(WRONG_KEYS, ([what]) =>
  ['a key of another kind', 'no PEM'].includes(what),
);
it.each(wrongKeys)(
  'the simulator of Enable Banking registers no application with %s',
  async (_what, keyOf) => {
    const { url } = simulators['enable-banking'];
    for (const field of ['publicKey', 'certificate'])
      await expect(
        registerApplication(url, { publicKey: undefined, [field]: await keyOf() }),
      ).rejects.toThrow('must be a certificate or a public key (SPKI) as PEM');
  },
);

const pkcs1 = (spki: string) =>
  createPublicKey(spki).export({ type: 'pkcs1', format: 'pem' }).toString();
const spkiOf = ({ publicKey }: { publicKey: KeyObject }) =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString();
const ellipticKey = () => spkiOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
const shortKey = () => spkiOf(generateKeyPairSync('rsa', { modulusLength: 1_024 }));

it('docs/live names scripts of package.json only', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: object };
  const named = LIVE_PAGES.flatMap((page) => [
    ...readPage(page).matchAll(/npm run (?:-s )?([\w:-]+)/g),
  ]);
  expect(Object.keys(scripts)).toEqual(
    expect.arrayContaining([...new Set(named.map(([, name]) => name)), 'start:vendor-simulators']),
  );
});
