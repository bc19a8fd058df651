import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFdxBank } from '../../../simulators/vendors/fdx/create-fdx-bank.js';
import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import { runCommand, type EndedCommand } from '../actors/operator.js';
import type { Standalone } from './standalone.js';
import { startVendorSimulator, testSimulator, type TestSimulator } from './vendor-simulators.js';
import { registerApplication, SIMULATED_BANKS } from '../fixtures/enable-banking-application.js';
import { pinnedFdxConfiguration } from '../fixtures/fdx-bank-configuration.js';
import { remoteIdOf } from '../../../providers/enable-banking/catalog/remote-id.js';
import { StoredTruth } from '../assertions/stored-truth.js';

/** These are also the names of the configurations. */
export const SIMULATED = ['simplefin', 'fdx', 'enable-banking'] as const;
export type Simulated = (typeof SIMULATED)[number];

/**
 * Three vendors over one ledger, and the values that the operator of a service configured for them.
 */
export interface SimulatedProviders {
  simulators: Readonly<Record<Simulated, TestSimulator>>;
  /** An institution that all three reach. */
  institutionId: string;
  /** Secrets of the operator by name. */
  secrets: Readonly<Record<string, string>>;
  /** Runs an operator command. Throws when it fails. */
  operate(...args: string[]): Promise<EndedCommand>;
  close(): Promise<void>;
}

/** Starts the simulators, and adds a configuration of each to the Sandbox of a service. */
export async function addSimulatedProviders(
  service: Pick<Standalone, 'dataDir' | 'info'>,
): Promise<SimulatedProviders> {
  const ledger = new Ledger();
  const bank = await createFdxBank({ ledger });
  const simulators = {
    simplefin: await startVendorSimulator('simplefin', { ledger }),
    fdx: testSimulator(bank),
    'enable-banking': await startVendorSimulator('enable-banking', { ledger }),
  };
  const folder = mkdtempSync(join(service.dataDir, 'operator-'));
  const fileOf = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return `${name}=@${join(folder, name)}`;
  };
  const operate = async (...args: string[]) => {
    const ended = await runCommand(args, { DATA_DIR: service.dataDir });
    if (ended.status !== 0) throw new Error(`${args.join(' ')}: ${ended.stderr}`);
    return ended;
  };
  const add = (name: Simulated, settings: Record<string, string>, keys: Record<string, string>) =>
    operate(
      ...['providers', 'add', name, '--environment', 'sandbox'],
      ...Object.entries(settings).flatMap((it) => ['--set', fileOf(...it)]),
      ...Object.entries(keys).flatMap((it) => ['--secret', fileOf(...it)]),
    );

  const { url } = simulators.simplefin;
  await add(
    'simplefin',
    {
      server: `${url}/simplefin`,
      hosts: new URL(url).host,
      institutionName: 'SimpleFIN Bridge',
      allowLoopback: 'true',
    },
    {},
  );
  const redirectAddress = `${service.info.base_url}/connect/oauth/callback`;
  // No real bank is in the lists of all three; this one is where the SimpleFIN server is.
  const fdx = await pinnedFdxConfiguration(bank, { institution: { country: 'US' } });
  const banks = (fdx.settings['institutions'] as { remoteId: string }[]).filter(
    ({ remoteId }) => remoteId === 'meridian-fdx',
  );
  const { certificateAuthority } = fdx.settings as { certificateAuthority: string };
  await add(
    'fdx',
    { institutions: JSON.stringify(banks), certificateAuthority, allowLoopback: 'true' },
    fdx.secrets,
  );
  const { url: apiAddress } = simulators['enable-banking'];
  const { applicationId, privateKey } = await registerApplication(apiAddress, {
    redirectUrls: [redirectAddress],
  });
  await add('enable-banking', { applicationId, apiAddress, redirectAddress }, { privateKey });

  for (const name of SIMULATED) await operate('institutions', 'sync', name);
  const { stdout } = await operate('institutions', 'find', 'us', '--json');
  const [{ institution_id: institutionId } = { institution_id: '' }] = JSON.parse(stdout) as {
    institution_id: string;
  }[];
  await operate('institutions', 'join', 'fdx', 'meridian-fdx', institutionId);
  // `institutions join` stays within a country, and the bank of the ledger is in Germany.
  await new StoredTruth(() => service.info.database_url).rows(
    "UPDATE institution_routes SET institution_id = $1 WHERE provider = 'enable-banking' AND remote_id = $2",
    [institutionId, remoteIdOf(SIMULATED_BANKS.meridian)],
  );
  return {
    simulators,
    institutionId,
    secrets: { ...fdx.secrets, privateKey },
    operate,
    close: async () =>
      void (await Promise.all(Object.values(simulators).map((simulator) => simulator.close()))),
  };
}
