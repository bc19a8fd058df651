import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RouteRenewalRepository } from '../../../prisma/sources/routing/route-renewal.repository.js';
import { ProviderConfigurationRepository } from '../../../prisma/work/providers/provider-configuration.repository.js';
import { runCommand } from '../../support/actors/operator.js';
import { eventually } from '../../support/assertions/eventually.js';
import {
  add,
  ctx,
  env,
  expectNoSecrets,
  FIRST_KEY,
  SECOND_KEY,
  SIGNING_KEY,
  wholeDatabase,
  folder,
  log,
  printed,
  providers,
  shown,
  source,
  startConfigurations,
  worker,
} from './support/configured-providers.js';

startConfigurations();

const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
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
    [['--secret', 'api_key=-', '--name', 'practice'], 'reserved'],
    [['--secret', 'api_key=-', '--name', 'My Bank'], 'lower-case letters'],
    [['--secret', 'api_key=-', '--environment', 'test'], 'Must be one of sandbox, live'],
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
  afterEach(() => {
    source.acceptedKey = FIRST_KEY;
  });

  it('reports that no worker has responded when none is running', async () => {
    await add('unchecked');
    expect(await providers(['check', 'unchecked', '--wait', '100ms'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No worker has checked unchecked yet'),
    });
  });

  it('prints the findings of a worker, and exits with 0 only when the keys work', async () => {
    worker.start();
    await add('checked');
    source.credentialsEndAt = new Date('2027-03-01T00:00:00Z');
    expect(await providers(['check', 'checked'])).toEqual({
      status: 0,
      stdout: 'ok      the source accepts the key\n',
      stderr: '',
    });
    const { stdout } = await providers(['list', '--json']);
    expect(
      (JSON.parse(stdout) as Record<string, unknown>[]).find((row) => row['name'] === 'checked'),
    ).toMatchObject({ state: 'ok', credentials_end_at: '2027-03-01T00:00:00.000Z', links: 0 });

    const renewals = new RouteRenewalRepository(ctx);
    await ctx.database.prisma.institutionRoute.create({
      data: {
        institutionId: 'test-bank',
        provider: 'checked',
        remoteId: 'bank-1',
        login: 'redirect',
        products: ['accounts'],
      },
    });
    const login = { provider: 'checked', remoteId: 'bank-1' };
    await renewals.note({ ...login, isRenewable: false });
    const { unrenewableSince } = await ctx.database.prisma.institutionRoute.findFirstOrThrow({
      where: login,
    });
    const day = unrenewableSince?.toISOString().slice(0, 10);
    expect(await providers(['check', 'checked'])).toEqual({
      status: 0,
      stdout: expect.stringContaining(
        `warn    Test Bank: logins get a refresh token: none since ${day}\n        Ask the institution`,
      ),
      stderr: '',
    });
    await renewals.note({ ...login, isRenewable: true });
    expect((await providers(['check', 'checked'])).stdout).toBe(
      'ok      the source accepts the key\n',
    );

    source.acceptedKey = SECOND_KEY;
    expect(await providers(['check', 'checked'])).toEqual({
      status: 1,
      stdout:
        'FAILED  the source accepts the key: It answered 401.\n        Make a new key at the source and rotate it in.\n',
      stderr: 'checked is broken: it serves nothing until a check succeeds.\n',
    });
    expect(await shown('checked')).toMatchObject({ state: 'broken' });
  });

  it('runs automatically after a rotation, and heals the configuration', async () => {
    worker.start();
    source.acceptedKey = SECOND_KEY;
    await add('healed');
    await eventually(async () => {
      expect(await shown('healed')).toMatchObject({ state: 'broken' });
    });
    await providers(['rotate', 'healed', '--secret', 'api_key=-'], SECOND_KEY);
    await eventually(async () => {
      expect(await shown('healed')).toMatchObject({ state: 'ok', revision: 2 });
    });
  });

  it('explains why the worker cannot open a configuration', async () => {
    worker.start();
    await add('contradicting', '--set', 'retries=0', '--set', 'strict=true');
    expect(await providers(['check', 'contradicting'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('`strict` needs at least one retry.'),
    });
    expect(await shown('contradicting')).toMatchObject({ state: 'broken' });
  });
});

describe('apps providers', () => {
  it('limits an app to configurations in its own order, until the limit ends', async () => {
    await runCommand(['apps', 'create', '--name', 'Limited'], env);
    for (const name of ['first-choice', 'second-choice']) await add(name);
    const limit = async (...args: string[]) => {
      const { stdout } = await runCommand(['apps', 'providers', ...args, '--json'], env);
      return (JSON.parse(stdout) as { providers: unknown }).providers;
    };
    expect(await limit('limited')).toBeNull();
    expect(await limit('limited', 'second-choice', 'first-choice')).toEqual([
      'second-choice',
      'first-choice',
    ]);
    expect(await limit('limited', 'first-choice')).toEqual(['first-choice']);
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
    expect(printed).toContain('FAILED');
    expect(log).toContain('provider.checked');
    await expectNoSecrets();
  });
});
