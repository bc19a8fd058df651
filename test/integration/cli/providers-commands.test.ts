import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { ConfigurationChecks } from '../../../apps/worker/src/configurations/configuration-checks.js';
import type { Context } from '../../../prisma/context.js';
import type { Prisma } from '../../../prisma/generated/client.js';
import { reportLink } from '../../../prisma/links/link-report.js';
import { isWebhookKey } from '../../../prisma/provider-webhooks/webhook-key.js';
import { ConfigurationCheckRepository } from '../../../prisma/providers/configuration-check.repository.js';
import { RouteRenewalRepository } from '../../../prisma/routing/route-renewal.repository.js';
import { ProviderConfigurationRepository } from '../../../prisma/providers/provider-configuration.repository.js';
import { runCommand } from '../../support/actors/operator.js';
import { eventually } from '../../support/assertions/eventually.js';
import { Canaries } from '../../support/fixtures/canaries.js';
import {
  openStorage,
  storeLink,
  TENANT,
  type Storage,
} from '../../support/fixtures/stored-link.js';
import { SIMPLEFIN_SETTINGS } from '../../../providers/simplefin/settings.js';
import { TrialSource } from '../../support/fixtures/trial-adapter.js';

const FIRST_KEY = 'canary-key-of-the-operator-1';
const SECOND_KEY = 'canary-key-of-the-operator-2';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const SIGNING_KEY = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

const source = new TrialSource();
const folder = mkdtempSync(join(tmpdir(), 'tributary-secrets-'));
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
let storage: Storage;
let ctx: Context;
let env: Record<string, string>;
let worker: ConfigurationChecks;
let log = '';
let printed = '';

beforeAll(async () => {
  const key = randomBytes(32);
  storage = await openStorage(undefined, key);
  ({ ctx } = storage);
  env = { DATABASE_URL: storage.url, MASTER_KEYS: `test:${key.toString('base64')}` };
  const destination = { write: (line: string) => (log += line) };
  worker = new ConfigurationChecks({
    configurations: new ProviderConfigurationRepository(ctx),
    checks: new ConfigurationCheckRepository(ctx),
    renewals: new RouteRenewalRepository(ctx),
    adapters: [source.adapter],
    logger: createLogger({ name: 'worker', level: 'debug', format: 'json', destination }),
    pollMs: 20,
  });
  source.acceptedKey = FIRST_KEY;
});

afterAll(async () => {
  await worker.stop();
  await storage.close();
  rmSync(folder, { recursive: true });
});

/** Runs `providers …` with a terminal at which `typed` is typed. */
async function providers(args: readonly string[], typed = '') {
  const ended = await runCommand(['providers', ...args], env, {
    adapters: { trial: source.adapter.settings, simplefin: SIMPLEFIN_SETTINGS },
    secretInput: { read: () => Promise.resolve(typed), prompt: () => Promise.resolve(typed) },
  });
  printed += ended.stdout + ended.stderr;
  return ended;
}

async function shown(name: string): Promise<Record<string, unknown>> {
  const { stdout } = await providers(['show', name, '--json']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const add = (name: string, ...args: string[]) =>
  providers(['add', 'trial', '--name', name, '--secret', 'api_key=-', ...args], FIRST_KEY);
const wholeDatabase = async () => {
  const { rows } = await ctx.database.pool.query<{ text: string }>(
    `SELECT query_to_xml('SELECT * FROM provider_configurations', true, false, '')::text
         || query_to_xml('SELECT * FROM data_keys', true, false, '')::text AS text`,
  );
  return rows.map(({ text }) => text).join();
};

describe('providers adapters', () => {
  it('lists the settings of each adapter, and its limitations', async () => {
    const { stdout } = await providers(['adapters']);
    expect(stdout).toMatch(/^trial\n/);
    expect(stdout).toMatch(/address +setting +false +https:\/\/source\.example +Where the source/);
    expect(stdout).toMatch(/api_key +secret +true +– +The key of the source/);
  });
});

describe('providers add', () => {
  it('stores settings in the form that the adapter expects, and secrets from a file, standard input and a prompt', async () => {
    const signing = file('signing.pem', SIGNING_KEY);
    expect(
      await providers(
        [
          ...['add', 'trial', '--environment', 'sandbox', '--max-links', '7'],
          ...['--set', 'retries=4', '--set', 'regions=us, ca', '--set', 'strict=true'],
          ...['--secret', 'api_key=prompt', '--secret', `signing_key=@${signing}`],
        ],
        `${FIRST_KEY}\n`,
      ),
    ).toMatchObject({ status: 0, stdout: expect.stringContaining('providers check trial') });
    expect(await shown('trial')).toMatchObject({
      name: 'trial',
      adapter: 'trial',
      environment: 'sandbox',
      state: 'unchecked',
      links: 0,
      max_links: 7,
      settings: {
        address: 'https://source.example',
        retries: 4,
        regions: ['us', 'ca'],
        strict: true,
      },
      secrets: ['api_key', 'signing_key'],
      published_keys: 1,
    });
    const found = await new ProviderConfigurationRepository(ctx).find('trial');
    expect(await found?.openSecrets()).toEqual({
      api_key: FIRST_KEY,
      signing_key: SIGNING_KEY.trimEnd(),
    });
    expect(found?.publicKeys).toEqual([
      expect.objectContaining({ kty: 'EC', kid: 'trial-1', x: expect.any(String) }),
    ]);
    expect(found?.publicKeys?.[0]).not.toHaveProperty('d');
  });

  it.each([
    [['--secret', `api_key=${FIRST_KEY}`], 'cannot be given on the command line'],
    [['--secret', FIRST_KEY], 'no name or no source'],
    [['--secret', 'api_key=@/no/such/file'], 'cannot be read: ENOENT'],
    [['--secret', 'api_key=-', '--secret', 'signing_key=-'], 'only one secret'],
    [[], 'The secret "api_key": '],
    [['--secret', 'api_key=-', '--set', 'retries=many'], 'The setting "retries": '],
    [['--secret', 'api_key=-', '--set', 'retries=9'], 'The setting "retries": '],
    [['--secret', 'api_key=-', '--set', 'adress=x'], 'The adapter has no setting "adress".'],
    [['--secret', 'api_key=-', '--set', 'retries'], 'write NAME=VALUE'],
    [['--secret', 'api_key=-', '--secret', 'other=prompt'], 'The adapter has no secret "other".'],
    [['--secret', 'api_key=-', '--name', 'sandbox'], 'reserved'],
    [['--secret', 'api_key=-', '--name', 'import'], 'reserved'],
    [['--secret', 'api_key=-', '--name', 'My Bank'], 'lower-case letters'],
    [['--secret', 'api_key=-', '--environment', 'test'], 'must be one of sandbox, live'],
    [['--secret', 'api_key=-'], 'already a configuration trial'],
  ])('refuses %j, stores nothing and repeats no secret', async (args, message) => {
    const before = await wholeDatabase();
    const { status, stdout, stderr } = await providers(['add', 'trial', ...args], FIRST_KEY);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain(FIRST_KEY);
    expect(await wholeDatabase()).toBe(before);
  });

  it('refuses settings for Live that are only for simulators, with an explanation, and stores nothing', async () => {
    const before = await wholeDatabase();
    expect(await providers(['add', 'simplefin', '--set', 'allowLoopback=true'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'The setting "allowLoopback" is only for configurations of the Sandbox: Live never connects to this machine.\n',
    });
    expect(await wholeDatabase()).toBe(before);
    expect(await providers(['add', 'simplefin'])).toMatchObject({ status: 0 });
    expect(await providers(['set', 'simplefin', '--set', 'allowLoopback=true'])).toMatchObject({
      status: 1,
      stderr:
        'The setting "allowLoopback" is only for configurations of the Sandbox: Live never connects to this machine.\n',
    });
    expect(await shown('simplefin')).toMatchObject({ settings: { allowLoopback: false } });
  });

  it('names the available adapters when it does not know one', async () => {
    expect(await providers(['add', 'tellarr'])).toMatchObject({
      status: 1,
      stderr: 'There is no adapter tellarr; this version has: trial, simplefin.\n',
    });
  });
});

describe('providers set and rotate', () => {
  it('replace the given values, keep the others, and increase the revision', async () => {
    await add('changed', '--set', 'retries=1', '--set', 'regions=us');
    const before = await shown('changed');
    expect(
      (await providers(['set', 'changed', '--set', 'retries=3', '--unset', 'regions'])).status,
    ).toBe(0);
    const signing = file('second.pem', SIGNING_KEY);
    await providers(['rotate', 'changed', '--secret', `signing_key=@${signing}`]);
    await providers(['set', 'changed', '--max-links', '3']);
    expect(await shown('changed')).toEqual({
      ...before,
      settings: { address: 'https://source.example', retries: 3, strict: false },
      secrets: ['api_key', 'signing_key'],
      published_keys: 1,
      max_links: 3,
      revision: 4,
    });
    await providers(['rotate', 'changed', '--unset', 'signing_key']);
    expect(await shown('changed')).toMatchObject({ secrets: ['api_key'], published_keys: 0 });
  });

  it.each([
    [['set', 'changed', '--set', 'retries=9'], 'The setting "retries": '],
    [['set', 'changed', '--unset', 'regions'], '"regions" cannot be removed'],
    [['set', 'changed'], 'Give --set, --unset, --max-links or --repin.'],
    [['set', 'changed', '--repin'], 'The adapter trial pins nothing.'],
    [['rotate', 'changed', '--secret', 'api_key=prompt'], 'must have 16 characters'],
    [['rotate', 'changed', '--secret', 'signing_key=prompt'], 'keys to publish cannot be read'],
    [['rotate', 'changed', '--unset', 'api_key'], 'The secret "api_key": '],
    [['rotate', 'changed'], 'Give --secret or --unset.'],
    [['set', 'none', '--set', 'retries=1'], 'There is no configuration none'],
    [['rotate', 'sandbox', '--unset', 'x'], 'sandbox is built in'],
    [['enable', 'none'], 'There is no configuration none'],
    [['check', 'none'], 'There is no configuration none'],
  ])('refuse %j and change nothing', async (args, message) => {
    const before = await wholeDatabase();
    const { status, stdout, stderr } = await providers(args, 'short');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(await wholeDatabase()).toBe(before);
  });
});

describe('providers check', () => {
  it('reports that no worker has responded when none is running', async () => {
    await add('asked');
    expect(await providers(['check', 'asked', '--wait', '100ms'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No worker has checked asked yet'),
    });
  });

  it('prints the findings of a worker, and exits with 0 only when the keys work', async () => {
    worker.start();
    source.credentialsEndAt = new Date('2027-03-01T00:00:00Z');
    expect(await providers(['check', 'asked'])).toEqual({
      status: 0,
      stdout: 'ok      the source accepts the key\n',
      stderr: '',
    });
    const { stdout } = await providers(['list', '--json']);
    expect(
      (JSON.parse(stdout) as Record<string, unknown>[]).find((row) => row['name'] === 'asked'),
    ).toMatchObject({ state: 'ok', credentials_end_at: '2027-03-01T00:00:00.000Z', links: 0 });

    const renewals = new RouteRenewalRepository(ctx);
    await ctx.database.prisma.institutionRoute.create({
      data: {
        institutionId: 'test-bank',
        provider: 'asked',
        remoteId: 'bank-1',
        login: 'redirect',
        products: ['accounts'],
      },
    });
    const login = { provider: 'asked', remoteId: 'bank-1' };
    await renewals.note({ ...login, isRenewable: false });
    const today = new Date().toISOString().slice(0, 10);
    expect(await providers(['check', 'asked'])).toEqual({
      status: 0,
      stdout: expect.stringContaining(
        `warn    Test Bank: logins get a refresh token: none since ${today}\n        Ask the institution`,
      ),
      stderr: '',
    });
    await renewals.note({ ...login, isRenewable: true });
    expect((await providers(['check', 'asked'])).stdout).toBe(
      'ok      the source accepts the key\n',
    );

    source.acceptedKey = SECOND_KEY;
    expect(await providers(['check', 'asked'])).toEqual({
      status: 1,
      stdout:
        'FAILED  the source accepts the key: It answered 401.\n        Make a new key at the source and rotate it in.\n',
      stderr: 'asked is broken: it serves nothing until a check succeeds.\n',
    });
    expect(await shown('asked')).toMatchObject({ state: 'broken' });
  });

  it('runs automatically after a rotation, and heals the configuration', async () => {
    await providers(['rotate', 'asked', '--secret', 'api_key=-'], SECOND_KEY);
    await eventually(async () => {
      expect(await shown('asked')).toMatchObject({ state: 'ok', revision: 2 });
    });
  });

  it('explains why the worker cannot open a configuration', async () => {
    await add('contradicting', '--set', 'retries=0', '--set', 'strict=true');
    expect(await providers(['check', 'contradicting'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('`strict` needs at least one retry.'),
    });
    expect(await shown('contradicting')).toMatchObject({ state: 'broken' });
  });
});

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

/** A user who is about to log in. */
async function storeSession(provider: string): Promise<{ sessionId: string }> {
  const { prisma } = ctx.database;
  const { pk } = await prisma.customerUser.create({ data: { ...TENANT, userId: provider } });
  return prisma.linkSession.create({
    data: {
      sessionId: `ses_${provider}`,
      ...TENANT,
      clientId: 'sandbox_pocket-ledger',
      customerUserPk: pk,
      tokenHash: new Uint8Array(randomBytes(32)),
      mode: 'link',
      beganAs: 'link',
      products: {},
      features: {},
      state: 'open',
      expiresAt: new Date(Date.now() + 60_000),
      provider,
    },
  });
}

describe('providers remove', () => {
  const keyOf = (name: string) =>
    ctx.database.prisma.dataKey.findUnique({ where: { owner: `provider/${name}` } });

  it('is refused while links use the configuration, with their number and the next steps', async () => {
    await add('used');
    const { pk } = await storeLink(storage, { provider: 'used' });
    await ctx.database.prisma.link.update({ where: { pk }, data: { connectedAt: new Date() } });
    await ctx.database.prisma.providerCredential.create({
      data: { linkPk: pk, provider: 'used', reference: 'p', sealed: Buffer.from('x') },
    });
    expect(await providers(['remove', 'used'])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^used cannot be removed: 1 connected link uses it\. Delete these links/,
      ),
    });
    expect(await keyOf('used')).not.toBeNull();
    expect(await shown('used')).toMatchObject({ links: 1 });
    await ctx.database.prisma.providerCredential.delete({ where: { linkPk: pk } });
    expect((await providers(['remove', 'used'])).status).toBe(0);
  });

  it('is refused while a login that its bank accepted is not finished', async () => {
    await add('logging-in');
    const { sessionId } = await storeSession('logging-in');
    const change = (data: Prisma.LinkSessionUpdateInput) =>
      ctx.database.prisma.linkSession.update({ where: { sessionId }, data });
    await change({ attemptKey: 'first', bankAccepted: true });
    expect(await providers(['remove', 'logging-in'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('1 login that its bank accepted is not finished'),
    });
    await change({ state: 'ended', endedAt: new Date() });
    expect((await providers(['remove', 'logging-in'])).status).toBe(0);
  });

  it.each<[string, string | null, string]>([
    ['has not come to a permission', 'first', ' One login through it had no permission yet'],
    ['ended without one', null, ''],
  ])('is not refused for an open session whose login %s', async (_what, attemptKey, said) => {
    const name = attemptKey === null ? 'left-alone' : 'on-the-way';
    await add(name);
    const { sessionId } = await storeSession(name);
    await ctx.database.prisma.linkSession.update({ where: { sessionId }, data: { attemptKey } });
    const { status, stdout } = await providers(['remove', name]);
    expect(status).toBe(0);
    expect(stdout.startsWith(`${name} is removed, and its keys are erased.${said}`)).toBe(true);
    expect(
      await ctx.database.prisma.linkSession.findUniqueOrThrow({ where: { sessionId } }),
    ).toMatchObject({ state: 'open', attemptKey: null });
  });

  it.each([
    ['that an app imported under its name', { importedAt: new Date() }],
    ['whose login failed', { connectedAt: null }],
  ])('is not refused for a link %s, which needs no key', async (_what, facts) => {
    await add('named');
    const { linkId } = await storeLink(storage, {
      provider: 'named',
      state: 'error',
      errorCode: 'auth_expired',
    });
    await ctx.database.prisma.link.update({ where: { linkId }, data: facts });
    expect(await shown('named')).toMatchObject({ links: 0 });
    expect(await providers(['remove', 'named'])).toMatchObject({ status: 0 });
    expect((await reportLink(ctx.database, linkId))?.link.provider).toBe('named');
  });

  it('leaves no key behind', async () => {
    expect(await keyOf('used')).toBeNull();
    expect(await providers(['show', 'used'])).toMatchObject({ status: 1 });
    expect(await providers(['remove', 'used'])).toMatchObject({ status: 1 });
  });
});

describe('apps providers', () => {
  it('limits an app to configurations in its own order, until the limit ends', async () => {
    await runCommand(['apps', 'create', '--name', 'Limited'], env);
    const limit = async (...args: string[]) => {
      const { stdout } = await runCommand(['apps', 'providers', ...args, '--json'], env);
      return (JSON.parse(stdout) as { providers: unknown }).providers;
    };
    expect(await limit('limited')).toBeNull();
    expect(await limit('limited', 'trial', 'asked')).toEqual(['trial', 'asked']);
    expect(await limit('limited', 'asked')).toEqual(['asked']);
    expect(await limit('limited', '--all')).toBeNull();
  });

  it.each([
    [['limited', 'trial', 'tellarr'], 'There is no configuration tellarr'],
    [['no-one', 'trial'], 'There is no app no-one.'],
    [['no-one'], 'There is no app no-one.'],
    [['limited', 'trial', '--all'], 'not both'],
  ])('refuses %j', async (args, message) => {
    expect(await runCommand(['apps', 'providers', ...args], env)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});

describe('The secrets of configurations', () => {
  it('do not appear in any output, log or table', async () => {
    const canaries = new Canaries();
    canaries.add('first key', FIRST_KEY);
    canaries.add('second key', SECOND_KEY);
    canaries.add('signing key', SIGNING_KEY.split('\n')[1] ?? '');
    expect(printed).toContain('FAILED');
    expect(log).toContain('provider.checked');
    expect(canaries.findIn(printed)).toEqual([]);
    expect(canaries.findIn(log)).toEqual([]);
    expect(canaries.findIn(await wholeDatabase())).toEqual([]);
  });
});
