import { execFile, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFdxBank } from '../../../apps/vendor-simulators/src/fdx-bank/create-fdx-bank.js';
import type { FdxBank } from '../../../apps/vendor-simulators/src/fdx-bank/fdx-bank.types.js';
import { TRIAL_CLIENT_SECRET } from '../../../apps/vendor-simulators/src/fdx-bank/trial-values.js';
import { Ledger } from '../../../apps/vendor-simulators/src/ledger/ledger.js';
import { ENABLE_BANKING_SETTINGS } from '../../../providers/enable-banking/settings.js';
import { FDX_SETTINGS, type FdxInstitution } from '../../../providers/fdx/settings.js';
import { adaptersAtSimulators } from './adapters-at-simulators.js';
import {
  documentedCommands,
  documentedFile,
  documentedShellLines,
  type DocumentedCommand,
  LIVE_PAGES,
  readPage,
} from './documented-commands.js';
import { newKeys, registerApplication } from '../../support/fixtures/enable-banking-application.js';
import { fdxConfiguration } from '../../support/fixtures/fdx-bank-configuration.js';
import { openOperatorStage, type OperatorStage } from './operator-stage.js';
import { storeLink } from '../../support/fixtures/stored-link.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const REDIRECT_ADDRESS = 'https://tributary.example.org/connect/oauth/callback';
const FDX_PAGE = 'docs/live/fdx.md';

let stage: OperatorStage;
let simulators: Record<'simplefin' | 'enable-banking', TestSimulator>;
let bank: FdxBank;
/** What stands for a placeholder of the pages. */
const values = new Map([
  ['<app>', 'pocket-ledger'],
  ['<institution_id>', 'test-bank'],
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
}

async function writeEnableBankingFiles(): Promise<void> {
  const { privateKey } = await registerApplication(simulators['enable-banking'].url, {
    id: 'cf589be3-3755-465b-a8df-a90a16a31403',
    redirectUrls: [REDIRECT_ADDRESS],
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
  const [documented] = documentedFile(FDX_PAGE) as [Partial<FdxInstitution>];
  const { issuer, fdxBase, clientId } = valuesOf('first-fdx') ?? {};
  await stage.write('banks.json', JSON.stringify([{ ...documented, issuer, fdxBase, clientId }]));
  await stage.write('second-bank.json', JSON.stringify([valuesOf('wealth-fdx')]));
  await stage.write('simulated-bank.json', JSON.stringify([valuesOf('plain-fdx')]));
  await stage.write('third-bank.json', JSON.stringify([valuesOf('mtls-fdx')]));
  await stage.write('authority.pem', bank.trial.certificateAuthority);
  await stage.write('signing-key.pem', signingKey);
  await stage.write('client.pem', secrets['clientCertificate'] ?? '');
  await stage.write('client-key.pem', secrets['clientCertificateKey'] ?? '');
}

const all = LIVE_PAGES.flatMap(documentedCommands).map(({ args }) => args.join(' '));

/** Named in a sentence, while another one runs it with its arguments. */
const isMention = ({ args, isInSentence }: DocumentedCommand): boolean =>
  isInSentence && all.some((other) => other.startsWith(`${args.join(' ')} `));

const substituted = (command: readonly string[]): string[] =>
  command.map((word) => {
    const value = values.get(word) ?? word;
    if (/^<|^[A-Z]+$|…/.test(value)) throw new Error(`what stands for ${word}?`);
    return value;
  });

describe.each(LIVE_PAGES)('%s', (page) => {
  it('has commands that all work in their order, and print no secret', async () => {
    const commands = documentedCommands(page).filter((command) => !isMention(command));
    expect(commands).not.toEqual([]);
    for (const { args } of commands) {
      const command = substituted(args);
      const ended = await stage.run(command, TRIAL_CLIENT_SECRET);
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

const withOpenssl = spawnSync('openssl', ['version']).status === 0 ? it : it.skip;

withOpenssl('docs/live has shell commands that make keys which the adapters accept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-keys-'));
  const lines = LIVE_PAGES.flatMap(documentedShellLines);
  for (const line of lines) {
    expect(line).toMatch(/^openssl /);
    await promisify(execFile)('sh', ['-c', line], { cwd: folder });
  }
  const made = (name: string) => readFile(join(folder, name), 'utf8');
  const privateKey = await made('enable-banking.pem');
  expect(ENABLE_BANKING_SETTINGS.secret.safeParse({ privateKey }).success).toBe(true);
  expect(await made('enable-banking.crt')).toContain('BEGIN CERTIFICATE');
  const signingKey = await made('signing-key.pem');
  expect(FDX_SETTINGS.publicKeys({ secrets: { signingKey } })).toMatchObject([{ alg: 'ES256' }]);
  await rm(folder, { recursive: true });
});

it('docs/live/fdx.md shows a bank that the adapter accepts as it is', () => {
  expect(FDX_SETTINGS.public.safeParse({ institutions: documentedFile(FDX_PAGE) }).error).toBe(
    undefined,
  );
});

it('docs/live names scripts of package.json only', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: object };
  const named = LIVE_PAGES.flatMap((page) => [
    ...readPage(page).matchAll(/npm run (?:-s )?([\w:-]+)/g),
  ]);
  expect(Object.keys(scripts)).toEqual(
    expect.arrayContaining([...new Set(named.map(([, name]) => name)), 'start:vendor-simulators']),
  );
});
