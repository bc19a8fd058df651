import { matchingSecret } from '../../../prisma/tenants/applications/client-secret.js';
import { runCommand as run } from '../../support/actors/operator.js';
import type { StandaloneApp } from '../../support/services/standalone.js';
import { createOperatorDatabase, env, rows } from './support/operator-database.js';

createOperatorDatabase();

async function created(...args: string[]): Promise<StandaloneApp> {
  const { status, stdout, stderr } = await run(['apps', 'create', '--json', ...args], env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as StandaloneApp;
}

// plaid-compat 3.2
describe('clients unoffered', () => {
  it('switches a Sandbox pair and refuses a Live pair', async () => {
    const { sandbox, live } = await created('--name', 'Moved');
    const ignores = async () =>
      (
        await rows('SELECT ignores_unoffered_products FROM api_clients WHERE client_id = $1', [
          sandbox.client_id,
        ])
      )[0]?.['ignores_unoffered_products'];
    expect(await ignores()).toBe(true);
    expect((await run(['clients', 'unoffered', sandbox.client_id, 'rejected'], env)).status).toBe(
      0,
    );
    expect(await ignores()).toBe(false);
    expect(await run(['clients', 'unoffered', live.client_id, 'ignored'], env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('always reject'),
    });
    expect((await run(['clients', 'unoffered', 'no_one', 'ignored'], env)).status).toBe(1);
  });
});

describe('apps create', () => {
  it('prints one entry of standalone.json with secrets that match the stored hashes', async () => {
    const app = await created('--name', 'Pocket Ledger');
    expect(app).toEqual({
      app_id: 'pocket-ledger',
      name: 'Pocket Ledger',
      sandbox: {
        client_id: expect.stringMatching(/^sandbox_[0-9a-f]{20}$/),
        client_secret: expect.stringMatching(/^[\w-]{43}$/),
      },
      live: {
        client_id: expect.stringMatching(/^live_[0-9a-f]{20}$/),
        client_secret: expect.stringMatching(/^[\w-]{43}$/),
      },
    });
    for (const environment of ['sandbox', 'live'] as const) {
      const [row] = await rows(
        'SELECT c.environment, c.live_limit, s.secret_hash FROM api_clients c JOIN client_secrets s USING (client_id) WHERE client_id = $1',
        [app[environment].client_id],
      );
      expect(row).toMatchObject({ environment, live_limit: 10 });
      expect(
        matchingSecret(app[environment].client_secret, [
          { secretHash: String(row?.['secret_hash']) },
        ]),
      ).not.toBeNull();
    }
  });

  it('assigns a second app of the same name another id', async () => {
    const ids = [await created('--name', 'Zoë & Co.'), await created('--name', 'Zoë & Co.')].map(
      (app) => app.app_id,
    );
    expect(ids).toEqual(['zoe-co', 'zoe-co-2']);
  });

  it('stores the allow lists as scheme, host and port, and the limit of the live pair', async () => {
    const app = await created(
      '--name',
      'Listed',
      '--live-limit',
      '3',
      '--redirect-origin',
      'https://App.example',
      '--redirect-origin',
      'ledger://return',
      '--page-origin',
      'https://pages.example:8443/',
    );
    const [row] = await rows(
      'SELECT redirect_origins, page_origins FROM applications WHERE app_id = $1',
      [app.app_id],
    );
    expect(row).toEqual({
      redirect_origins: ['https://app.example', 'ledger://return'],
      page_origins: ['https://pages.example:8443'],
    });
    const [client] = await rows('SELECT live_limit FROM api_clients WHERE client_id = $1', [
      app.live.client_id,
    ]);
    expect(client).toEqual({ live_limit: 3 });
  });

  it.each([
    [['--name', ' '], 'cannot be empty'],
    [[], "required option '--name <name>'"],
    [['--name', 'A', '--live-limit', 'many'], 'whole number'],
    [['--name', 'A', '--redirect-origin', 'https://app.example/path'], 'without path'],
    [['--name', 'A', '--page-origin', 'ledger://page'], 'http or https'],
  ])('refuses %j and stores nothing', async (args, message) => {
    const before = await rows('SELECT count(*) FROM applications', []);
    const { status, stderr, stdout } = await run(['apps', 'create', ...args], env);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(await rows('SELECT count(*) FROM applications', [])).toEqual(before);
  });
});

describe('apps list', () => {
  it('lists every app without secrets', async () => {
    const app = await created('--name', 'Shown');
    const { stdout } = await run(['apps', 'list', '--json'], env);
    const apps = JSON.parse(stdout) as Record<string, unknown>[];
    expect(apps.find(({ app_id }) => app_id === app.app_id)).toEqual({
      app_id: 'shown',
      name: 'Shown',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(stdout).not.toContain(app.sandbox.client_secret);
    expect((await run(['apps', 'list'], env)).stdout).toContain('shown');
  });
});

describe('apps update', () => {
  const update = async (...args: string[]) =>
    JSON.parse((await run(['apps', 'update', ...args, '--json'], env)).stdout) as Record<
      string,
      unknown
    >;

  it('changes the given settings, keeps the others, and prints the settings without secrets', async () => {
    const app = await created(
      '--name',
      'Changing',
      '--page-origin',
      'https://old.example',
      '--redirect-origin',
      'https://old.example',
    );
    const changed = await update(
      app.app_id,
      '--live-limit',
      '25',
      '--page-origin',
      'https://a.example',
      '--page-origin',
      'https://b.example',
      '--feature',
      'connect_manually',
      '--country',
      'GB',
      '--logo-url',
      'https://cdn.example/logo.png',
      '--live-listening',
      'on',
    );
    expect(changed).toEqual({
      app_id: 'changing',
      name: 'Changing',
      logo_url: 'https://cdn.example/logo.png',
      country: 'GB',
      redirect_origins: ['https://old.example'],
      page_origins: ['https://a.example', 'https://b.example'],
      features: ['connect_manually'],
      live_listening: true,
      live_limit: 25,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(
      await rows(
        'SELECT environment, live_limit FROM api_clients WHERE app_id = $1 ORDER BY environment',
        ['changing'],
      ),
    ).toEqual([
      { environment: 'live', live_limit: 25 },
      { environment: 'sandbox', live_limit: 10 },
    ]);
    expect(
      await update(
        app.app_id,
        '--name',
        'Changed',
        '--page-origin',
        '',
        '--feature',
        '',
        '--logo-url',
        '',
      ),
    ).toEqual({
      ...changed,
      name: 'Changed',
      page_origins: [],
      features: [],
      logo_url: null,
    });
    expect((await run(['apps', 'update', app.app_id], env)).stdout).toContain('Changed');
  });

  it.each([
    [['no_one'], 'There is no app no_one.'],
    [['shown', '--name', ' '], 'cannot be empty'],
    [['shown', '--feature', 'singing'], 'Must be one of issue_reporter'],
    [['shown', '--country', 'CH'], 'Must be one of US'],
    [['shown', '--live-listening', 'yes'], 'Must be one of on, off'],
    [['shown', '--logo-url', 'http://a.example/logo.png'], 'https address'],
  ])('refuses %j', async (args, message) => {
    const { status, stdout, stderr } = await run(['apps', 'update', ...args], env);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('client commands', () => {
  it('set another limit of Live links', async () => {
    const { live } = await created('--name', 'Limited');
    const { stdout } = await run(['clients', 'limit', live.client_id, '3', '--json'], env);
    expect(JSON.parse(stdout)).toEqual({ client_id: live.client_id, live_limit: 3 });
    expect(
      await rows('SELECT live_limit FROM api_clients WHERE client_id = $1', [live.client_id]),
    ).toEqual([{ live_limit: 3 }]);
    expect((await run(['clients', 'limit', live.client_id, 'all'], env)).stderr).toContain(
      'whole number',
    );
    expect((await run(['clients', 'limit', 'live_none', '3'], env)).stderr).toBe(
      'There is no client live_none.\n',
    );
  });

  it('disable a client and enable it again', async () => {
    const { sandbox } = await created('--name', 'Switched');
    const disabled = await run(['clients', 'disable', sandbox.client_id, '--json'], env);
    expect(JSON.parse(disabled.stdout)).toEqual({
      client_id: sandbox.client_id,
      disabled_at: expect.stringMatching(/Z$/),
      simplefin_tokens_revoked: 0,
      simplefin_tokens_left: 0,
    });
    const enabled = await run(['clients', 'enable', sandbox.client_id, '--json'], env);
    expect(JSON.parse(enabled.stdout)).toEqual({ client_id: sandbox.client_id, disabled_at: null });
  });

  it('fail for an unknown client', async () => {
    expect(await run(['clients', 'disable', 'sandbox_none'], env)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'There is no client sandbox_none.\n',
    });
  });
});
