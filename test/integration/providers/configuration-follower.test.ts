import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { ConfigurationFollower } from '../../../apps/worker/src/configurations/configuration-follower.js';
import { ConfigurationCheckRepository } from '../../../prisma/work/providers/configuration-check.repository.js';
import { ProviderConfigurationRepository } from '../../../prisma/work/providers/provider-configuration.repository.js';
import { createProviderRegistry } from '../../../providers/registry.js';
import { KeysRefused } from '../../../domain/errors/provider-failure.js';
import { eventually } from '../../support/assertions/eventually.js';
import { accessWith } from '../../support/fixtures/provider-calls.js';
import { openStorage, type Storage } from '../../support/fixtures/stored-link.js';
import { TrialSource } from '../../support/fixtures/trial-adapter.js';

const KEY = 'canary-key-of-the-operator';
const access = accessWith({ credential: Buffer.from('permission'), reference: 'p1' }, 'bank');

/** A worker without Temporal that is never notified and only polls. */
describe('A worker that misses every notification', () => {
  const source = new TrialSource();
  const providers = createProviderRegistry([]);
  const queues = new Set<string>();
  /** Ends a drain. */
  let drained: () => void = () => undefined;
  let log = '';
  let storage: Storage;
  let configurations: ProviderConfigurationRepository;
  let checks: ConfigurationCheckRepository;
  let follower: ConfigurationFollower;

  beforeAll(async () => {
    storage = await openStorage();
    configurations = new ProviderConfigurationRepository(storage.ctx);
    checks = new ConfigurationCheckRepository(storage.ctx);
    source.acceptedKey = KEY;
    follower = new ConfigurationFollower({
      configurations,
      checks,
      providers,
      adapters: [source.adapter],
      workers: {
        add: async ({ taskQueue }) => void queues.add(taskQueue),
        remove: async (taskQueue) => {
          await new Promise<void>((resolve) => (drained = resolve));
          queues.delete(taskQueue);
        },
      },
      ofProvider: ({ name }) => ({ taskQueue: `provider-${name}` }),
      logger: createLogger({
        name: 'worker',
        level: 'debug',
        format: 'json',
        destination: { write: (line) => (log += line) },
      }),
      pollMs: 10,
    });
    follower.start();
  });
  afterAll(async () => {
    await follower?.stop();
    await storage?.close();
  });

  const add = (name: string, settings: Record<string, unknown> = {}) =>
    configurations.add({
      name,
      adapter: name === 'unknown-adapter' ? 'tellarr' : 'trial',
      environment: 'sandbox',
      settings,
      secrets: { api_key: KEY },
      publicKeys: null,
      maxLinks: null,
    });
  const count = (message: string, name: string) =>
    log.split('\n').filter((line) => line.includes(message) && line.includes(`"${name}"`)).length;

  it('serves a new configuration', async () => {
    await add('first');
    await eventually(() => {
      expect([...queues]).toEqual(['provider-first']);
    });
  });

  it('uses new settings for new calls, on the same queue', async () => {
    await configurations.change('first', 1, { settings: { retries: 4 } });
    await eventually(async () => {
      await providers.get('first').fetchAccounts(access);
      expect(source.calls.at(-1)?.settings).toMatchObject({ retries: 4 });
    });
    expect([...queues]).toEqual(['provider-first']);
  });

  it('refuses to overwrite a change that someone else made in the meantime', async () => {
    expect(await configurations.change('first', 1, { settings: { retries: 1 } })).toBe(false);
  });

  it('logs a configuration that cannot be opened once, by its name, and serves the others', async () => {
    await add('contradicting', { strict: true, retries: 0 });
    await add('unknown-adapter');
    await add('last');
    await eventually(() => {
      expect([...queues]).toEqual(['provider-first', 'provider-last']);
    });
    await eventually(async () => {
      expect(await configurations.find('unknown-adapter')).toMatchObject({ broken: true });
    });
    expect(count('provider.unusable', 'contradicting')).toBe(1);
    expect(count('provider.unusable', 'unknown-adapter')).toBe(1);
    expect((await configurations.find('contradicting'))?.report).toMatchObject({
      ok: false,
      lines: [{ detail: expect.stringContaining('`strict` needs at least one retry.') }],
    });
  });

  it('does not call a source again that refused the keys, until a check succeeds', async () => {
    source.acceptedKey = 'another-key-than-the-operators';
    const provider = providers.get('last');
    await expect(provider.fetchAccounts(access)).rejects.toBeInstanceOf(KeysRefused);
    expect(await configurations.find('last')).toMatchObject({ broken: true, revision: 1 });
    const before = source.calls.length;
    await expect(async () => provider.fetchAccounts(access)).rejects.toBeInstanceOf(KeysRefused);
    expect(source.calls).toHaveLength(before);

    source.acceptedKey = KEY;
    await checks.record('last', 1, {
      report: { ok: true, keysRefused: false, lines: [] },
      credentialsEndAt: null,
    });
    await eventually(() => provider.fetchAccounts(access));
  });

  it('keeps a configuration until its calls have finished, and serves it again afterwards', async () => {
    await configurations.setEnabled('last', false);
    await eventually(() => {
      expect(count('provider.draining', 'last')).toBe(1);
    });
    await configurations.setEnabled('last', true);
    expect(providers.get('last').name).toBe('last');
    drained();
    await eventually(() => {
      expect(count('provider.drained', 'last')).toBe(1);
    });
    await eventually(() => {
      expect([...queues]).toEqual(['provider-first', 'provider-last']);
    });
  });

  it('removes a deleted configuration, whose key is erased', async () => {
    expect(await configurations.remove('first')).toMatchObject({ kind: 'removed' });
    await eventually(() => {
      expect(count('provider.draining', 'first')).toBe(1);
    });
    drained();
    await eventually(() => {
      expect(() => providers.get('first')).toThrow('There is no provider "first"');
    });
    const { prisma } = storage.ctx.database;
    expect(await prisma.dataKey.count({ where: { owner: 'provider/first' } })).toBe(0);
    expect(log).not.toContain(KEY);
  });
});
