import { runCommand as run } from '../../support/actors/operator.js';
import type { StandaloneApp } from '../../support/services/standalone.js';
import { createOperatorDatabase, env } from './support/operator-database.js';

createOperatorDatabase();

type Pair = Record<string, unknown> & { client_id: string };

async function json<T>(...args: string[]): Promise<T> {
  const { status, stdout, stderr } = await run([...args, '--json'], env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

async function newApp(name: string): Promise<StandaloneApp> {
  return json<StandaloneApp>('apps', 'create', '--name', name, '--live-limit', '3');
}

describe('clients create', () => {
  it('adds a limited pair, whose secret is shown once', async () => {
    const app = await newApp('Limited');
    const args = ['--environment', 'live', '--label', 'Reports', '--ends', '2099-01-31'];
    const created = await json<Pair>(
      'clients',
      'create',
      app.app_id,
      ...args,
      '--scope',
      'links:read',
      '--scope',
      'products:read',
      '--user',
      'ann',
      '--user',
      'bob, the second',
    );
    expect(created).toEqual({
      client_id: expect.stringMatching(/^live_[0-9a-f]{20}$/),
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      environment: 'live',
      label: 'Reports',
      scopes: ['links:read', 'products:read'],
      users: ['ann', 'bob, the second'],
      links: null,
      share_percent: 25,
      live_limit: 3,
      created_at: expect.stringMatching(/Z$/),
      ends_at: '2099-01-31T00:00:00.000Z',
      disabled_at: null,
      last_used_at: null,
    });
    const { client_secret: _, ...listed } = created;
    const pairs = await json<Pair[]>('clients', 'list', app.app_id);
    expect(pairs).toHaveLength(3);
    expect(pairs[2]).toEqual(listed);
    expect((await run(['clients', 'list', app.app_id], env)).stdout).toContain(
      'scopes         all',
    );
  });

  it('leaves out the scope of calls that affect others, where users are limited', async () => {
    const app = await newApp('Scoped');
    const limited = ['--environment', 'sandbox', '--user', 'ann'];
    const { scopes } = await json<Pair>('clients', 'create', app.app_id, ...limited);
    expect(scopes).toContain('links:read');
    expect(scopes).not.toContain('sandbox:write');
  });
});

describe('The share of a pair in the limits of its app', () => {
  it('is a quarter with another limit, all without, and what the operator chose', async () => {
    const app = await newApp('Shares');
    const create = async (...args: string[]) =>
      (await json<Pair>('clients', 'create', app.app_id, '--environment', 'sandbox', ...args))[
        'share_percent'
      ];
    expect([
      await create('--scope', 'links:read'),
      await create('--ends', '2099-01-31'),
      await create('--user', 'ann', '--rate', '50%'),
    ]).toEqual([25, 100, 50]);
    const restrict = async (...args: string[]) =>
      (await json<Pair>('clients', 'restrict', app.sandbox.client_id, ...args))['share_percent'];
    expect([await restrict('--rate', '5'), await restrict('--default-rate')]).toEqual([5, 100]);
  });
});

describe('clients restrict', () => {
  it('changes the named limits, and lifts them', async () => {
    const { sandbox } = await newApp('Restricted');
    const restrict = (...args: string[]) =>
      json<Pair>('clients', 'restrict', sandbox.client_id, ...args);
    expect(await restrict('--scope', 'links:read', '--ends', '2099-01-31T18:00Z')).toMatchObject({
      scopes: ['links:read'],
      users: null,
      ends_at: '2099-01-31T18:00:00.000Z',
    });
    expect(await restrict('--user', 'ann')).toMatchObject({
      scopes: ['links:read'],
      users: ['ann'],
    });
    expect(await restrict('--all-scopes', '--all-links', '--never-ends')).toMatchObject({
      scopes: expect.arrayContaining(['sandbox:write']),
      users: null,
      ends_at: null,
    });
  });
});

describe('A command about key pairs', () => {
  const create = ['create', 'no-app', '--environment', 'sandbox'];

  it.each([
    [['list', 'no-app'], 'There is no app no-app.'],
    [create, 'There is no app no-app.'],
    [['create', 'no-app'], "required option '--environment <sandbox|live>' not specified"],
    [['create', 'no-app', '--environment', 'test'], 'Must be one of sandbox, live.'],
    [[...create, '--scope', 'money:move'], 'Must be one of link_session:write, links:read'],
    [[...create, '--user', ''], 'Must not be empty.'],
    [[...create, '--user', 'a', '--link', 'mk_x'], 'Give only one of --user and --link.'],
    [
      [...create, ...Array.from({ length: 101 }, (_, at) => ['--user', `u${at}`]).flat()],
      'A key pair is limited to at most 100 users or links.',
    ],
    [[...create, '--rate', '0'], 'Must be a share from 1% to 100%.'],
    [[...create, '--rate', '101%'], 'Must be a share from 1% to 100%.'],
    [[...create, '--ends', 'tomorrow'], 'Must be a date such as 2027-01-31'],
    [[...create, '--ends', '2027-02-31'], 'Must be a date such as 2027-01-31'],
    [[...create, '--ends', '2001-01-31'], 'Must be in the future.'],
    [['restrict', 'sandbox_none', '--never-ends'], 'There is no client sandbox_none.'],
    [['restrict', 'sandbox_none'], 'Name a limit to change, such as --scope.'],
    [
      ['restrict', 'sandbox_none', '--all-scopes', '--scope', 'links:read'],
      'Give only one of --scope and --all-scopes.',
    ],
  ])('is refused with a sentence: %j', async (args, sentence) => {
    const { status, stdout, stderr } = await run(['clients', ...args], env);
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(sentence)]);
  });

  it('names the links that the app does not have in the environment', async () => {
    const { sandbox } = await newApp('Without links');
    expect(await run(['clients', 'restrict', sandbox.client_id, '--link', 'mk_x'], env)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The app has no such link in this environment: mk_x.\n',
    });
  });
});
