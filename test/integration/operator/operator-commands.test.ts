import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase } from '../../support/services/embedded-services.js';
import { runCommand as run } from '../../support/actors/operator.js';
import { createOperatorDatabase, database, env, rows } from './support/operator-database.js';

createOperatorDatabase();

const ENTRY = fileURLToPath(new URL('../../../dist/apps/operator/src/main.js', import.meta.url));

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

  it('shows in its help how it was started', async () => {
    expect(await start('apps', 'list', '--help')).toMatchObject({
      stdout: expect.stringContaining(
        'Examples:\n  node dist/apps/operator/src/main.js apps list\n',
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
      output: expect.stringContaining(
        args[0] === 'sing' ? 'sing' : 'Usage: npm run -s operator --',
      ),
    });
  });
});

describe('A pipe whose reader has closed it', () => {
  it('does not interrupt an operator command', async () => {
    const child = spawn(process.execPath, [ENTRY, 'institutions', 'list'], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    expect(await text(child.stderr)).toBe('');
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(0);
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
