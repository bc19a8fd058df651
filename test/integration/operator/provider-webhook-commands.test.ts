import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isWebhookKey } from '../../../prisma/work/provider-webhooks/webhook-key.js';
import { runCommand } from '../../support/actors/operator.js';
import {
  add,
  ctx,
  env,
  folder,
  providers,
  source,
  startConfigurations,
} from './support/configured-providers.js';

startConfigurations();

describe('providers webhook', () => {
  const make = async (...args: string[]) => {
    const { settings } = source.adapter;
    return runCommand(
      ['providers', 'webhook', ...args],
      { ...env, BASE_URL: 'https://api.example/tributary/' },
      { adapters: { trial: { ...settings, readsWebhooks: true } } },
    );
  };
  const stored = async () => {
    const { prisma } = ctx.database;
    const row = await prisma.providerConfiguration.findUniqueOrThrow({ where: { name: 'hooked' } });
    return row.webhookKeyHash;
  };
  const ADDRESS = /https:\/\/api\.example\/tributary\/provider-webhooks\/hooked\/([\w-]{43})/g;

  it('prints the address once, explains its use, and invalidates an earlier one', async () => {
    await add('hooked');
    expect(await stored()).toBeNull();
    const { status, stdout, stderr } = await make('hooked');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [[, first = ''] = [], ...others] = [...stdout.matchAll(ADDRESS)];
    expect(others).toEqual([]);
    expect(stdout).toContain('Enter it at the source as the address for webhooks');
    expect(stdout).toContain('An earlier address of hooked no longer works.');
    expect(isWebhookKey(first, await stored())).toBe(true);

    const again = await make('hooked', '--json');
    const { address } = JSON.parse(again.stdout) as { address: string };
    const [[, second = ''] = []] = [...address.matchAll(ADDRESS)];
    expect(isWebhookKey(second, await stored())).toBe(true);
    expect(isWebhookKey(first, await stored())).toBe(false);
    expect((await providers(['show', 'hooked'])).stdout).not.toContain(second);
  });

  it('is below the public address of a standalone service, which may be a LAN address', async () => {
    const dataDir = join(folder, 'standalone');
    mkdirSync(dataDir);
    const running = {
      base_url: 'http://192.168.1.7:4000',
      database_url: env['DATABASE_URL'],
      temporal_address: '127.0.0.1:1',
      temporal_namespace: 'default',
    };
    writeFileSync(join(dataDir, 'standalone.json'), JSON.stringify(running));
    writeFileSync(
      join(dataDir, 'secrets.json'),
      JSON.stringify({ master_keys: env['MASTER_KEYS'] }),
    );
    const { settings } = source.adapter;
    const { stdout } = await runCommand(
      ['providers', 'webhook', 'hooked'],
      { DATA_DIR: dataDir },
      { adapters: { trial: { ...settings, readsWebhooks: true } } },
    );
    expect(stdout).toMatch(/^http:\/\/192\.168\.1\.7:4000\/provider-webhooks\/hooked\//);
  });

  it('is refused for an adapter that reads none, and for an unknown configuration', async () => {
    const { settings } = source.adapter;
    expect(await providers(['webhook', 'hooked'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'The adapter trial reads no webhooks: its source sends none, or none that it understands. Links of hooked are refreshed on a schedule.\n',
    });
    expect(
      await runCommand(['providers', 'webhook', 'hooked'], env, { adapters: { quiet: settings } }),
    ).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no adapter trial') });
    for (const [name, message] of [
      ['none', 'There is no configuration none; see `providers list`.\n'],
      ['sandbox', 'sandbox is built in'],
    ] as const)
      expect(await make(name)).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
  });
});
