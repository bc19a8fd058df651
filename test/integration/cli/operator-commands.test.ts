import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { verifyClientSecret } from '../../../prisma/applications/client-secret.js';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../../support/services/embedded-services.js';
import { eventually } from '../../support/assertions/eventually.js';
import { runCommand as run } from '../../support/actors/operator.js';
import type { StandaloneApp } from '../../support/services/standalone.js';

const ENTRY = fileURLToPath(new URL('../../../dist/apps/cli/src/main.js', import.meta.url));

let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url, MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}` };
});

afterAll(() => database.drop());

async function created(...args: string[]): Promise<StandaloneApp> {
  const { status, stdout, stderr } = await run(['apps', 'create', '--json', ...args], env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as StandaloneApp;
}

async function rows(statement: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

describe('The operator program', () => {
  const start = (...args: string[]) =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        [ENTRY, ...args],
        { env: { PATH: process.env['PATH'], ...env } },
        (error, stdout, stderr) => {
          resolve({ status: error === null ? 0 : error.code, stdout, stderr });
        },
      );
    });

  it('exits with the status of its command and writes output and errors to separate streams', async () => {
    expect(await start('institutions', 'list')).toEqual({
      status: 0,
      stdout: '(none)\n',
      stderr: '',
    });
    expect(await start('clients', 'disable', 'sandbox_none')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^\{[^\n]*"subject":"sandbox_none"[^\n]*"outcome":"started","msg":"audit\.command"\}\n\{[^\n]*"outcome":"failed","msg":"audit\.command"\}\nThere is no client sandbox_none\.\n$/,
      ),
    });
  });

  it.each([
    [['--help'], 0],
    [[], 1],
    [['sing'], 1],
  ])('lists the available commands for %j', async (args, status) => {
    const ended = await run(args, env);
    expect({ status: ended.status, output: ended[status === 0 ? 'stdout' : 'stderr'] }).toEqual({
      status,
      output: expect.stringContaining(args[0] === 'sing' ? 'sing' : 'Usage: tributary'),
    });
  });
});

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
        'SELECT environment, secret_hash, live_limit FROM api_clients WHERE client_id = $1',
        [app[environment].client_id],
      );
      expect(row).toMatchObject({ environment, live_limit: 10 });
      expect(verifyClientSecret(app[environment].client_secret, String(row?.['secret_hash']))).toBe(
        true,
      );
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
    );
    expect(changed).toEqual({
      app_id: 'changing',
      name: 'Changing',
      logo_url: 'https://cdn.example/logo.png',
      country: 'GB',
      redirect_origins: ['https://old.example'],
      page_origins: ['https://a.example', 'https://b.example'],
      features: ['connect_manually'],
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
    [['shown', '--feature', 'singing'], 'It must be one of issue_reporter'],
    [['shown', '--country', 'CH'], 'It must be one of US'],
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

  it('rotate a secret and print it once', async () => {
    const { sandbox } = await created('--name', 'Rotated');
    const rotated = JSON.parse(
      (await run(['clients', 'rotate', sandbox.client_id, '--json'], env)).stdout,
    ) as Record<string, string>;
    expect(rotated).toEqual({
      client_id: sandbox.client_id,
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
    });
    const [row] = await rows('SELECT secret_hash FROM api_clients WHERE client_id = $1', [
      sandbox.client_id,
    ]);
    const fits = (secret: string | undefined) =>
      verifyClientSecret(secret ?? '', String(row?.['secret_hash']));
    expect({
      rotatedFits: fits(rotated['client_secret']),
      otherFits: fits(sandbox.client_secret),
    }).toEqual({ rotatedFits: true, otherFits: false });
    expect((await run(['clients', 'rotate', 'sandbox_none'], env)).stderr).toBe(
      'There is no client sandbox_none.\n',
    );
  });

  it('disable a client and enable it again', async () => {
    const { sandbox } = await created('--name', 'Switched');
    const disabled = await run(['clients', 'disable', sandbox.client_id, '--json'], env);
    expect(JSON.parse(disabled.stdout)).toEqual({
      client_id: sandbox.client_id,
      disabled_at: expect.stringMatching(/Z$/),
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

describe('links show', () => {
  it('fails for an unknown link', async () => {
    expect(await run(['links', 'show', 'mk_none'], env)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'There is no link mk_none.\n',
    });
  });
});

describe('institution and provider commands', () => {
  const json = async (...args: string[]) => {
    const { stdout, stderr } = await run([...args, '--json'], env);
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  beforeAll(async () => {
    await rows(
      "INSERT INTO institutions (institution_id, name, country, environment, login) VALUES ('first-bank', 'First Bank', 'US', 'sandbox', 'none')",
      [],
    );
    await rows(
      "INSERT INTO institution_routes (institution_id, provider, remote_id, login, products) VALUES ('first-bank', 'sandbox', 'first', 'form', '{accounts}')",
      [],
    );
  });

  it('pause for a time or until resumed, and resume', async () => {
    const before = Date.now();
    const paused = await json('institutions', 'pause', 'first-bank', '--for', '1h');
    expect(paused).toMatchObject({ institution_id: 'first-bank', paused: true });
    expect(Date.parse(String(paused['paused_until'])) - before).toBeGreaterThanOrEqual(3_600_000);
    expect(await json('institutions', 'pause', 'first-bank')).toMatchObject({
      paused: true,
      paused_until: null,
    });
    expect((await run(['institutions', 'list'], env)).stdout).toMatch(
      /first-bank\s+First Bank\s+sandbox\s+US\s+sandbox\s+true/,
    );
    expect(await json('institutions', 'resume', 'first-bank')).toMatchObject({
      paused: false,
      paused_until: null,
    });
    expect(await json('providers', 'pause', 'sandbox', '--for', '30m')).toMatchObject({
      provider: 'sandbox',
      paused: true,
    });
    expect((await run(['providers', 'resume', 'sandbox'], env)).stdout).toBe(
      'sandbox is refreshed by schedule.\n',
    );
  });

  it('set refresh intervals and reset them', async () => {
    expect(await json('providers', 'interval', 'sandbox', '--fast', '12h')).toMatchObject({
      interval_ms: 43_200_000,
      slow_interval_ms: null,
    });
    expect(await json('providers', 'interval', 'sandbox', '--slow', '30d')).toMatchObject({
      interval_ms: 43_200_000,
      slow_interval_ms: 2_592_000_000,
    });
    expect(
      await json('providers', 'interval', 'sandbox', '--fast', 'default', '--slow', 'default'),
    ).toMatchObject({ interval_ms: null, slow_interval_ms: null });
  });

  it.each<[args: string[], stderr: string]>([
    [['institutions', 'pause', 'no-bank'], 'There is no institution no-bank.'],
    [['providers', 'resume', 'no_one'], 'There is no provider no_one.'],
    [['providers', 'interval', 'sandbox'], 'Set --fast or --slow.'],
    [['institutions', 'pause', 'first-bank', '--for', 'soon'], 'a duration such as'],
    [['institutions', 'pause', 'first-bank', '--for', '0s'], 'a duration such as'],
  ])('refuse %j', async (args, stderr) => {
    const ended = await run(args, env);
    expect(ended.status).toBe(1);
    expect(ended.stderr).toContain(stderr);
  });
});

describe('histories save', () => {
  it('explains that no Temporal server is named, or that none responds', async () => {
    const command = ['histories', 'save', 'link-session/ses_none', '--to', '/dev/null'];
    expect((await run(command, env)).stderr).toContain('set TEMPORAL_ADDRESS');
    expect((await run(command, { ...env, TEMPORAL_ADDRESS: '127.0.0.1:1' })).stderr).toContain(
      'The Temporal server at 127.0.0.1:1 does not respond: no server listens at TEMPORAL_ADDRESS.\n',
    );
  });
});

describe('The service that an operator command talks to', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-cli-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is found in the data folder of a standalone service', async () => {
    writeFileSync(
      join(folder, 'standalone.json'),
      JSON.stringify({
        database_url: database.url,
        temporal_address: '127.0.0.1:1',
        temporal_namespace: 'default',
      }),
    );
    writeFileSync(
      join(folder, 'secrets.json'),
      JSON.stringify({ master_keys: env['MASTER_KEYS'] }),
    );
    expect(await run(['apps', 'list', '--json'], { DATA_DIR: folder })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  it('is named in the error when it does not run or cannot be reached', async () => {
    const empty = await createEmptyDatabase();
    try {
      const missing = new URL(empty.url);
      missing.pathname = '/no_such_database';
      const cases: [Record<string, string>, string][] = [
        [
          { DATA_DIR: join(folder, 'none') },
          `no standalone service runs on ${join(folder, 'none')}`,
        ],
        [
          { ...env, DATABASE_URL: 'postgresql://no_one@127.0.0.1:1/none' },
          'The database does not respond',
        ],
        [{ ...env, DATABASE_URL: missing.href }, 'does not exist'],
        [{ ...env, DATABASE_URL: empty.url }, 'npm run migrate'],
        [{ ...env, MASTER_KEYS: 'k1:short' }, 'MASTER_KEYS'],
      ];
      for (const [settings, message] of cases) {
        const { status, stdout, stderr } = await run(['apps', 'list'], settings);
        expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
        expect(stderr).toContain(message);
      }
    } finally {
      await empty.drop();
    }
  });
});

describe('keys commands', () => {
  const printed = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['keys', ...args, '--json'], env);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout) as {
      set: string;
      kid: string;
      created_at: string;
      retired_at: string | null;
    }[];
  };

  it('rotate --revoke replaces all keys at once, and list shows them all, newest first', async () => {
    expect(await printed('list')).toEqual([]);
    const [first] = await printed('rotate', '--revoke');
    expect(first).toEqual({
      set: 'native',
      kid: expect.stringMatching(/^[\w-]{43}$/),
      created_at: expect.any(String),
      retired_at: null,
    });
    const after = await printed('rotate', '--revoke');
    expect(after).toHaveLength(2);
    expect(after[1]).toMatchObject({ kid: first?.kid, retired_at: after[0]?.created_at });
    expect(await printed('list')).toEqual(after);
    expect(
      await rows(
        'SELECT kid FROM signing_keys WHERE sealed_private IS NOT NULL AND active_from <= now() AND retired_at IS NULL',
        [],
      ),
    ).toEqual([{ kid: after[0]?.kid }]);
    const { stdout } = await run(['keys', 'list'], env);
    expect(stdout).toContain('signs_from');
  });

  it('list the keys of the Plaid layer by key set, and rotate creates one in each', async () => {
    await rows(
      "INSERT INTO signing_keys (kid, key_set, public_jwk, active_from) VALUES ('of-the-sandbox', 'plaid-sandbox', '{}', now()), ('of-live', 'plaid-live', '{}', now())",
      [],
    );
    const sets = async () => (await printed('list')).map(({ set }) => set);
    expect((await sets()).filter((set) => set !== 'native')).toEqual([
      'plaid-live',
      'plaid-sandbox',
    ]);
    const after = await printed('rotate', '--revoke');
    expect(
      after
        .map(({ set, kid, retired_at: at }) => [
          set,
          kid === 'of-live' || kid === 'of-the-sandbox',
          at === null,
        ])
        .filter(([set]) => set !== 'native'),
    ).toEqual([
      ['plaid-live', false, true],
      ['plaid-live', true, false],
      ['plaid-sandbox', false, true],
      ['plaid-sandbox', true, false],
    ]);
    expect(after[0]).toMatchObject({ set: 'native', retired_at: null });
    await rows("DELETE FROM signing_keys WHERE key_set <> 'native'", []);
  });

  it('leave the rotation to the worker, which has the settings', async () => {
    const ended = run(['keys', 'rotate', '--json'], env);
    const { rotation } = await eventually(async () => {
      const found = await rows(
        "SELECT payload FROM outbox_commands WHERE kind = 'rotateSigningKey'",
        [],
      );
      expect(found).toHaveLength(1);
      return found[0]?.['payload'] as { rotation: string };
    });
    await rows(
      "INSERT INTO signing_keys (kid, public_jwk, active_from, rotation) VALUES ('made-by-the-worker', '{}', now() + interval '15 minutes', $1)",
      [rotation],
    );
    const { status, stdout } = await ended;
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { kid: 'made-by-the-worker', retired_at: null },
      {},
      {},
      {},
    ]);
  });
});

describe('routes', () => {
  beforeAll(async () => {
    await rows(
      "INSERT INTO institutions (institution_id, name, country, environment, login) VALUES ('routed-bank', 'Routed Bank', 'US', 'sandbox', 'none')",
      [],
    );
    await rows(
      "INSERT INTO institution_routes (institution_id, provider, remote_id, login, products) VALUES ('routed-bank', 'sandbox', 'routed', 'form', '{accounts}'), ('routed-bank', 'north', 'routed', 'form', '{accounts}')",
      [],
    );
  });

  it('are explained, and one may be preferred', async () => {
    expect((await run(['routes', 'prefer', 'routed-bank', 'sandbox'], env)).stdout).toBe(
      'sandbox is preferred at routed-bank.\n',
    );
    const { status, stdout } = await run(['routes', 'explain', 'routed-bank', '--json'], env);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { provider: 'sandbox', verdict: 'chosen', reason: 'preferred', preferred: true },
      { provider: 'north', verdict: 'possible', reason: 'preferred', preferred: false },
    ]);
  });

  it('are explained to people in sentences', async () => {
    const { stdout } = await run(['routes', 'explain', 'routed-bank'], env);
    expect(stdout).toMatch(/^sandbox .+ An operator prefers it \(routes prefer\)\.$/m);
    expect(stdout).toMatch(/^north .+ An operator prefers another one \(routes prefer\)\.$/m);
    await run(['routes', 'prefer', 'routed-bank', 'sandbox', '--off'], env);
    const { stdout: byName } = await run(['routes', 'explain', 'routed-bank'], env);
    expect(byName).toMatch(/^north .+ It comes first by name; nothing else sets it apart\.$/m);
    expect(byName).toMatch(/^sandbox .+ It comes later by name; nothing else sets it apart\.$/m);
  });

  it.each([
    [['routes', 'explain', 'nowhere'], 'There is no institution nowhere.\n'],
    [['routes', 'prefer', 'routed-bank', 'south'], 'south has no route to routed-bank.\n'],
    [['links', 'explain', 'mk_nothing'], 'There is no link mk_nothing.\n'],
    [['links', 'move', 'mk_nothing', '--to', 'north'], 'There is no link mk_nothing.\n'],
  ])('are not found with %j', async (args, message) => {
    expect(await run(args, env)).toMatchObject({ status: 1, stderr: message });
  });
});
