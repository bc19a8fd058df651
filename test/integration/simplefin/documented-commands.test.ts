import { randomBytes } from 'node:crypto';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { ConfigurationChecks } from '../../../apps/worker/src/configurations/configuration-checks.js';
import { ConfigurationCheckRepository } from '../../../prisma/providers/configuration-check.repository.js';
import { ProviderConfigurationRepository } from '../../../prisma/providers/provider-configuration.repository.js';
import type { Adapter } from '../../../providers/adapter.js';
import {
  createSimplefinProvider,
  SIMPLEFIN,
} from '../../../providers/simplefin/simplefin-adapter.js';
import { runCommand } from '../../support/actors/operator.js';
import { documentedCommands } from '../../support/fixtures/documented-commands.js';
import { simplefinConfiguration } from '../../support/fixtures/simplefin-server.js';
import { openStorage, type Storage } from '../../support/fixtures/stored-link.js';
import {
  startVendorSimulator,
  type TestSimulator,
} from '../../support/services/vendor-simulators.js';

const PAGE = 'docs/live/simplefin.md';

describe(PAGE, () => {
  let storage: Storage;
  let simulator: TestSimulator;
  let worker: ConfigurationChecks;
  let env: Record<string, string>;
  beforeAll(async () => {
    const key = randomBytes(32);
    storage = await openStorage(undefined, key);
    simulator = await startVendorSimulator('simplefin');
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
  });

  /** Checks the settings as they are, then has the simulator answer for their server. */
  function atSimulator(): Adapter {
    return {
      ...SIMPLEFIN,
      create: (configuration) => {
        SIMPLEFIN.create(configuration);
        return createSimplefinProvider(simplefinConfiguration(simulator.url));
      },
    };
  }

  it('has commands that all work in their order', async () => {
    const commands = documentedCommands(PAGE);
    expect(commands.map(([group, command]) => `${group} ${command}`)).toEqual(
      expect.arrayContaining(['providers add', 'providers check', 'providers remove']),
    );
    for (const command of commands) {
      const { status, stdout, stderr } = await runCommand(command, env);
      expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: '' });
      expect(stdout).not.toBe('');
    }
  });

  it('quotes what the command prints', async () => {
    const { stderr } = await runCommand(
      ['providers', 'add', 'simplefin', '--set', 'server=https://other.example/simplefin'],
      env,
    );
    expect(stderr.trim()).toBe('The setting "server": must be at one of the hosts.');
    await runCommand(
      ['providers', 'add', 'simplefin', '--name', 'wrong', '--set', 'allowLoopback=true'],
      env,
    );
    const { stdout, status } = await runCommand(['providers', 'check', 'wrong'], env);
    expect(status).toBe(1);
    expect(stdout).toContain('allowLoopback is only for configurations of the Sandbox.');
  });
});
