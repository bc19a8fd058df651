import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { ConfigurationChecks } from '../../../apps/worker/src/configurations/configuration-checks.js';
import { ConfigurationCheckRepository } from '../../../prisma/providers/configuration-check.repository.js';
import { ProviderConfigurationRepository } from '../../../prisma/providers/provider-configuration.repository.js';
import type { Adapter } from '../../../providers/adapter.js';
import {
  createEnableBankingProvider,
  ENABLE_BANKING,
} from '../../../providers/enable-banking/enable-banking-adapter.js';
import { runCommand } from '../../support/actors/operator.js';
import { documentedCommands } from '../../support/fixtures/documented-commands.js';
import {
  newKeys,
  registerApplication,
  type TestApplication,
} from '../../support/fixtures/enable-banking-application.js';
import { openStorage, type Storage } from '../../support/fixtures/stored-link.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const PAGE = 'docs/live/enable-banking.md';
const APPLICATION_ID = 'cf589be3-3755-465b-a8df-a90a16a31403';
const REDIRECT_ADDRESS = 'https://tributary.example.org/connect/oauth/callback';

describe(PAGE, () => {
  let storage: Storage;
  let simulator: TestSimulator;
  let application: TestApplication;
  let worker: ConfigurationChecks;
  let env: Record<string, string>;
  /** With the two keys that the page names. */
  let folder: string;
  beforeAll(async () => {
    const key = randomBytes(32);
    storage = await openStorage(undefined, key);
    simulator = await startVendorSimulator('enable-banking');
    application = await registerApplication(simulator.url, {
      id: APPLICATION_ID,
      redirectUrls: [REDIRECT_ADDRESS],
    });
    folder = await mkdtemp(join(tmpdir(), 'enable-banking-'));
    await writeFile(join(folder, 'enable-banking.pem'), application.privateKey);
    await writeFile(join(folder, 'new-key.pem'), (await newKeys()).privateKey);
    env = { DATABASE_URL: storage.url, MASTER_KEYS: `test:${key.toString('base64')}` };
    worker = new ConfigurationChecks({
      configurations: new ProviderConfigurationRepository(storage.ctx),
      checks: new ConfigurationCheckRepository(storage.ctx),
      adapters: [atSimulator()],
      logger: createLogger({
        name: 'worker',
        level: 'error',
        format: 'json',
        destination: { write: () => true },
      }),
      pollMs: 20,
    });
    worker.start();
  });
  afterAll(async () => {
    await worker.stop();
    await simulator.close();
    await storage.close();
    await rm(folder, { recursive: true });
  });

  /** Takes the settings as they are, then asks the simulator, which only the Sandbox may call. */
  function atSimulator(): Adapter {
    return {
      ...ENABLE_BANKING,
      create: (configuration) => {
        ENABLE_BANKING.create(configuration);
        const { check } = createEnableBankingProvider({
          ...configuration,
          environment: 'sandbox',
          settings: { ...configuration.settings, apiAddress: simulator.url },
        });
        return { ...ENABLE_BANKING.create(configuration), check };
      },
    };
  }

  const inFolder = (command: readonly string[]): string[] =>
    command.map((argument) => argument.replace(/=@(?=[\w-]+\.pem$)/, `=@${folder}/`));
  const failuresOf = (report: string): string[] =>
    report.split('\n').filter((line) => line.startsWith('FAILED'));

  it('has commands that all work in their order', async () => {
    const commands = documentedCommands(PAGE);
    expect(commands.map(([group, command]) => `${group} ${command}`)).toEqual(
      expect.arrayContaining(['providers add', 'providers check', 'providers remove']),
    );
    for (const command of commands) {
      const { status, stdout, stderr } = await runCommand(inFolder(command), env);
      expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: '' });
      expect(stdout).not.toBe('');
      expect(stdout).not.toContain('PRIVATE KEY');
    }
  });

  it('quotes what the command prints about a wrong key', async () => {
    const add = ['providers', 'add', 'enable-banking', '--name', 'wrong'];
    const settings = [
      ...['--set', `applicationId=${APPLICATION_ID}`],
      ...['--set', `redirectAddress=${REDIRECT_ADDRESS}/`],
    ];
    await writeFile(join(folder, 'text.pem'), 'canary');
    const refused = await runCommand(
      inFolder([...add, ...settings, '--secret', 'privateKey=@text.pem']),
      env,
    );
    expect(refused.stderr.trim()).toBe(
      'The secret "privateKey": must be an RSA private key of at least 2048 bits as PEM.',
    );
    await runCommand(inFolder([...add, ...settings, '--secret', 'privateKey=@new-key.pem']), env);
    const checked = await runCommand(['providers', 'check', 'wrong'], env);
    expect(checked.status).toBe(1);
    expect(failuresOf(checked.stdout)).toEqual([
      expect.stringMatching(/the application accepts the private key: .*\(UNAUTHORIZED_ACCESS\)/),
    ]);
    await runCommand(
      inFolder(['providers', 'rotate', 'wrong', '--secret', 'privateKey=@enable-banking.pem']),
      env,
    );
    const again = await runCommand(['providers', 'check', 'wrong'], env);
    expect(failuresOf(again.stdout)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/the redirect address is registered: .* is not among the 1 of/),
      ]),
    );
  });
});
