import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { checkLogLines } from '../../support/assertions/check-log-lines.mjs';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import { SECRET_OF_TESTS, startSandboxBank } from './support/sandbox-bank.js';
import { bankApi } from './bank-api.js';
import { openTcpGate } from '../../support/services/tcp-gate.js';
import { itInLongRuns } from '../../support/fixtures/long-runs.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ENTRY = 'dist/simulators/sandbox-bank/main.js';
/** The settings of a bank on ports of its own. */
const ownSettings = async () => {
  const port = await freePort('127.0.0.1');
  return {
    SANDBOX_BANK_SECRET: SECRET_OF_TESTS,
    SANDBOX_BANK_PORT: String(port),
    SANDBOX_BANK_CONTROL_PORT: String(await freePort('127.0.0.1', [port])),
  };
};

describe('The process of the sandbox bank', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** Runs the entry until it exits, with these settings only. */
  async function runToEnd(env: Record<string, string>) {
    const child = spawn(process.execPath, [ENTRY], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = (await once(child, 'close')) as [number | null];
    checkLogLines(output, 'the sandbox bank');
    return { code, output };
  }

  async function eventually<T>(read: () => Promise<T>, accept: (value: T) => boolean): Promise<T> {
    const deadline = Date.now() + 100_000;
    for (;;) {
      const value = await read();
      if (accept(value)) return value;
      if (Date.now() > deadline) throw new Error(`never came true, last: ${JSON.stringify(value)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it('keeps connections, tokens and ids across kill -9 and restart', async () => {
    const first = await startSandboxBank({ databaseUrl: database.url });
    const made = await bankApi(first).connect({ key: 'over-the-crash' });
    const [accounts, rows] = [await made.accounts(), await made.rows('2026-01-01', '2026-03-01')];
    await first.kill();

    const second = await startSandboxBank({ databaseUrl: database.url, ports: first.ports });
    const ids = (list: Record<string, unknown>[]) => list.map((account) => account['account_id']);
    expect(ids(await made.accounts())).toEqual(ids(accounts));
    expect(await made.rows('2026-01-01', '2026-03-01')).toEqual(rows);
    expect((await bankApi(second).connect({ key: 'over-the-crash' })).id).toBe(made.id);
    await second.stop();
  });

  it('creates its tables once when two processes start together on an empty database', async () => {
    const empty = await createTestDatabase();
    const banks = await Promise.all([1, 2].map(() => startSandboxBank({ databaseUrl: empty.url })));
    for (const bank of banks)
      expect(await (await bankApi(bank).connect()).accounts()).toHaveLength(2);
    await Promise.all(banks.map((bank) => bank.stop()));
    await empty.drop();
  });

  it('returns 503 while PostgreSQL is down or does not respond, and recovers', async () => {
    const { hostname, port } = new URL(database.url);
    const gate = await openTcpGate({ host: hostname, port: Number(port) });
    const gatedUrl = new URL(database.url);
    gatedUrl.host = `127.0.0.1:${gate.port}`;
    const bank = await startSandboxBank({ databaseUrl: gatedUrl.toString() });
    const api = bankApi(bank);
    const connection = await api.connect();

    for (const state of ['cut', 'hang'] as const) {
      gate.set(state);
      const [data, ready] = await Promise.all([
        connection.get('accounts'),
        api.call('GET', '/health/ready'),
      ]);
      expect(data).toEqual({
        status: 503,
        body: { error: { code: 'bank_unavailable', message: expect.any(String) } },
      });
      expect(ready).toEqual({
        status: 503,
        body: { status: 'unavailable', failing: ['database'] },
      });
      expect((await api.call('GET', '/health/live')).status).toBe(200);
      gate.set('cut');
      gate.set('open');
      await eventually(
        () => api.call('GET', '/health/ready'),
        ({ status }) => status === 200,
      );
      expect(await connection.accounts()).toHaveLength(2);
    }
    await bank.stop();
    await gate.close();
  });

  itInLongRuns('shuts down cleanly on SIGTERM', async () => {
    const bank = await startSandboxBank({ databaseUrl: database.url });
    await bank.stop();
    expect(bank.output()).toContain('"reason":"SIGTERM"');
    await expect(fetch(`${bank.url}/health/live`)).rejects.toThrow();
  });

  itInLongRuns('exits when its parent has exited', async () => {
    const child = fork(ENTRY, {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        ...(await ownSettings()),
        SANDBOX_BANK_DATABASE_URL: database.url,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    const exited = once(child, 'exit');
    child.disconnect();
    expect((await exited)[0]).toBe(0);
  });

  it('reports every wrong setting at once', async () => {
    const { code, output } = await runToEnd({
      SANDBOX_BANK_SECRET: 'short',
      RATE_LIMIT_SANDBOX_BANK: 'fast',
      SANDBOX_BANK_RETENTION: '1h',
      TRUSTED_PROXIES: 'x',
      SANDBOX_BANK_CONTROL_PORT: '-1',
      SANDBOX_BANK_PORT: 'x',
      SANDBOX_BANK_NOW: 'soon',
      SANDBOX_BANK_PUBLIC_URL: 'ftp://bank',
      SANDBOX_BANK_DELAY_FACTOR: '-1',
      LOG_FORMAT: 'xml',
      LOG_LEVEL: 'loud',
    });
    expect(code).toBe(1);
    const wrong = [
      'SANDBOX_BANK_DATABASE_URL',
      'SANDBOX_BANK_SECRET',
      'SANDBOX_BANK_CONTROL_PORT',
      'RATE_LIMIT_SANDBOX_BANK',
      'SANDBOX_BANK_RETENTION',
      'TRUSTED_PROXIES',
      'SANDBOX_BANK_PORT',
      'SANDBOX_BANK_NOW',
      'SANDBOX_BANK_PUBLIC_URL',
      'SANDBOX_BANK_DELAY_FACTOR',
      'LOG_FORMAT',
      'LOG_LEVEL',
    ];
    for (const name of wrong) expect(output).toContain(name);
  });

  it('reports that its port is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const { code, output } = await runToEnd({
      ...(await ownSettings()),
      SANDBOX_BANK_DATABASE_URL: database.url,
      SANDBOX_BANK_PORT: String(port),
    });
    expect(code).toBe(1);
    expect(output).toContain(`address already in use 127.0.0.1:${port}`);
    holder.close();
  });
});
