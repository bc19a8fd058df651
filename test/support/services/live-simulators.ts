import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../simulators/vendors/fdx/fdx-bank.types.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { remoteIdOf } from '../../../providers/enable-banking/catalog/remote-id.js';
import type { FdxPublicSettings } from '../../../providers/fdx/settings.js';
import { operate, runCommand, type EndedCommand } from '../actors/operator.js';
import { StoredTruth } from '../assertions/stored-truth.js';
import { registerApplication, SIMULATED_BANKS } from '../fixtures/enable-banking-application.js';
import { pinnedFdxConfiguration } from '../fixtures/fdx-bank-configuration.js';
import type { SharedService } from '../fixtures/shared-service.js';
import { startVendorSimulator, testSimulator, type TestSimulator } from './vendor-simulators.js';

/**
 * The banks of the simulators with which tests try each vendor. `id` is the name in the service.
 */
export const LIVE_BANKS = {
  simplefin: { id: 'simplefin-bridge-us', name: 'SimpleFIN Bridge', bank: null, country: 'US' },
  'enable-banking': {
    id: 'saaristopankki-fi',
    name: 'Saaristopankki',
    bank: 'saaristo',
    country: 'FI',
  },
  fdx: {
    id: 'harbour-federal-bank-us',
    name: 'Harbour Federal Bank',
    bank: 'harbour',
    country: 'US',
  },
} as const;
export type LiveVendor = keyof typeof LIVE_BANKS;
export const LIVE_VENDORS = Object.keys(LIVE_BANKS) as LiveVendor[];

export interface LiveSimulators {
  simulators: Record<LiveVendor, TestSimulator>;
  /** The secrets of the operator by name. */
  secrets: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Starts the simulators of all vendors over one ledger, and configures them in a service as an
 * operator does. Their institutions are listed when this resolves. The service must be the caller's
 * own, because its other users would find these institutions, too.
 * @param prefix of the names of the configurations, which end with the vendor. Further simulators reach the
 * same institutions, and their routes come first if their names do
 */
export async function startLiveSimulators(
  { dataDir, info }: Pick<SharedService, 'dataDir' | 'info'>,
  { prefix = '' }: { prefix?: string } = {},
): Promise<LiveSimulators> {
  const { simulators, bank } = await startSet(new Ledger());
  const folder = mkdtempSync(join(tmpdir(), 'tributary-live-'));
  const close = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true });
    await Promise.all(Object.values(simulators).map((simulator) => simulator.close()));
  };
  /** The options that name a file for a value. */
  const inFile = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return `${name}=@${join(folder, name)}`;
  };
  const secrets: Record<string, string> = {};
  const secret = (name: string, text: string): string[] => {
    secrets[name] = text;
    return ['--secret', inFile(name, text)];
  };
  const returnAddress = `${info.base_url}/connect/oauth/callback`;
  try {
    const { simplefin, 'enable-banking': enableBanking } = simulators;
    const configurations = {
      simplefin: [
        ...['--set', `server=${simplefin.url}/simplefin`, '--set', 'allowLoopback=true'],
        ...['--set', `hosts=${new URL(simplefin.url).host}`],
        ...['--set', `institutionName=${LIVE_BANKS.simplefin.name}`],
        ...['--set', 'institutionDomain=simplefin.org'],
      ],
      'enable-banking': await enableBankingOptions(enableBanking, returnAddress, secret),
      fdx: await fdxOptions(bank, returnAddress, inFile, secret),
    };
    for (const [adapter, options] of Object.entries(configurations)) {
      const name = ['--name', `${prefix}${adapter}`];
      const add = ['providers', 'add', adapter, ...name, '--environment', 'sandbox'];
      await operate(dataDir, ...add, ...options);
    }
    await operate(dataDir, 'institutions', 'sync');
  } catch (error) {
    await close();
    throw error;
  }
  return { simulators, secrets, close };
}

export interface SimulatedProviders extends LiveSimulators {
  /** An institution that all three reach. */
  institutionId: string;
  /** Runs an operator command. Throws when it fails. */
  operate(...args: string[]): Promise<EndedCommand>;
}

/** The same, with one institution that every vendor reaches. */
export async function addSimulatedProviders(
  service: Pick<SharedService, 'dataDir' | 'info'>,
): Promise<SimulatedProviders> {
  const live = await startLiveSimulators(service);
  const institutionId = LIVE_BANKS.simplefin.id;
  // No real bank is in the lists of all three, and `institutions join` stays within a country.
  await new StoredTruth(() => service.info.database_url).rows(
    'UPDATE institution_routes SET institution_id = $1 WHERE remote_id = ANY($2)',
    [institutionId, ['meridian-fdx', remoteIdOf(SIMULATED_BANKS.meridian)]],
  );
  return {
    ...live,
    institutionId,
    operate: async (...args) => {
      const ended = await runCommand(args, { DATA_DIR: service.dataDir });
      if (ended.status !== 0) throw new Error(`${args.join(' ')}: ${ended.stderr}`);
      return ended;
    },
  };
}

async function startSet(ledger: Ledger) {
  const [simplefin, enableBanking, bank] = await Promise.all([
    startVendorSimulator('simplefin', { ledger }),
    startVendorSimulator('enable-banking', { ledger }),
    createFdxBank({ ledger }),
  ]);
  const simulators = { simplefin, 'enable-banking': enableBanking, fdx: testSimulator(bank) };
  return { simulators, bank };
}

type InFile = (name: string, text: string) => string;
type Secret = (name: string, text: string) => string[];

async function enableBankingOptions(
  { url }: TestSimulator,
  returnAddress: string,
  secret: Secret,
): Promise<string[]> {
  const application = await registerApplication(url, { redirectUrls: [returnAddress] });
  return [
    ...['--set', `applicationId=${application.applicationId}`, '--set', `apiAddress=${url}`],
    ...['--set', `redirectAddress=${returnAddress}`],
    ...secret('privateKey', application.privateKey),
  ];
}

async function fdxOptions(
  bank: FdxBank,
  returnAddress: string,
  inFile: InFile,
  secret: Secret,
): Promise<string[]> {
  bank.registerClient({ redirectUris: [returnAddress] });
  const { settings, secrets } = await pinnedFdxConfiguration(bank);
  const { institutions, certificateAuthority } = settings as FdxPublicSettings;
  return [
    ...['--set', inFile('institutions', JSON.stringify(institutions))],
    ...['--set', inFile('certificateAuthority', certificateAuthority ?? '')],
    ...['--set', `redirectUri=${returnAddress}`, '--set', 'allowLoopback=true'],
    ...Object.entries(secrets).flatMap(([name, text]) => secret(name, text)),
  ];
}
