import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { openDatabase } from '../../../prisma/base/database/database.js';
import { setupProblem } from '../../../prisma/base/database/database-failures.js';
import { readInIndexOrder } from '../../../prisma/base/database/read-in-index-order.js';
import { openPool } from '../../support/services/postgres.mjs';
import { eventually } from '../../support/assertions/eventually.js';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The reactions of poolers to startup parameters that they do not know. */
type PoolerManner = 'refuses' | 'ignores';

interface StartupProxy {
  port: number;
  close(): Promise<void>;
}

/**
 * The parameters that poolers forward. They refuse or ignore the others, as PgBouncer does with
 * `ignore_startup_parameters`.
 */
const HANDED_ON = ['user', 'database', 'client_encoding', 'application_name'];
const HEADER_BYTES = 8;

/** Acts as a pooler between a driver and PostgreSQL for the first message of each connection. */
async function startStartupProxy(
  target: { host: string; port: number },
  manner: PoolerManner,
): Promise<StartupProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near.on('error', () => near.destroy()));
    near.once('data', (message) => {
      const parameters = readParameters(message);
      const unknown = [...parameters.keys()].find((name) => !HANDED_ON.includes(name));
      if (manner === 'refuses' && unknown !== undefined)
        return near.end(errorResponse(`unsupported startup parameter: ${unknown}`));
      const far = connect(target);
      sockets.add(far.on('error', () => near.destroy()));
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      far.write(
        startup(
          message,
          [...parameters].filter(([name]) => HANDED_ON.includes(name)),
        ),
      );
      near.pipe(far).pipe(near);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readParameters(message: Buffer): Map<string, string> {
  const parts = message.subarray(HEADER_BYTES).toString('utf8').split('\0');
  const parameters = new Map<string, string>();
  for (let at = 0; parts[at] !== undefined && parts[at] !== ''; at += 2)
    parameters.set(parts[at] as string, parts[at + 1] ?? '');
  return parameters;
}

function startup(original: Buffer, parameters: readonly [string, string][]): Buffer {
  const body = Buffer.from(`${parameters.flat().join('\0')}\0\0`);
  const header = Buffer.from(original.subarray(0, HEADER_BYTES));
  header.writeInt32BE(HEADER_BYTES + body.length);
  return Buffer.concat([header, body]);
}

function errorResponse(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const header = Buffer.alloc(5);
  header.write('E');
  header.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([header, fields]);
}

const PGBOUNCER = '/usr/sbin/pgbouncer';
const REMEDY =
  'Time-outs, notifications and session locks belong to a connection, and a pooler between a process and PostgreSQL drops them: set DATABASE_URL to the address of PostgreSQL itself (docs/operating/postgresql.md).';
const REFUSED = `A pooler refuses the connection. ${REMEDY}`;
const DROPPED = `The connection has not the time-outs that it was opened with. ${REMEDY}`;

const server = (): URL => new URL(process.env['TEST_DATABASE_URL'] ?? '');

/** The log lines that an operator reads about a statement of ours and one of Prisma. */
async function problemsAt(port: number): Promise<(string | null)[]> {
  const url = server();
  url.port = String(port);
  const database = openDatabase({ url: url.href, name: 'pooler-tests', onError: () => undefined });
  try {
    const tries = await Promise.allSettled([database.ping(), database.prisma.$queryRaw`SELECT 1`]);
    return tries.map((outcome) =>
      outcome.status === 'rejected'
        ? (setupProblem(outcome.reason) ?? String(outcome.reason))
        : null,
    );
  } finally {
    await database.close();
  }
}

describe('A pooler between a process and PostgreSQL', () => {
  it.each([
    ['refuses', REFUSED],
    ['ignores', DROPPED],
  ] as const)(
    'is named in one line when it %s the parameters of a connection',
    async (manner, line) => {
      const { hostname: host, port } = server();
      const proxy = await startStartupProxy({ host, port: Number(port) }, manner);
      try {
        expect(await problemsAt(proxy.port)).toEqual([line, line]);
      } finally {
        await proxy.close();
      }
    },
  );

  const ifInstalled = existsSync(PGBOUNCER) ? it : it.skip;
  ifInstalled('is named when it is a real PgBouncer, however it is configured', async () => {
    const strict = await startPgbouncer('');
    try {
      expect(await problemsAt(strict.port)).toEqual([REFUSED, REFUSED]);
    } finally {
      await strict.stop();
    }
    const lenient = await startPgbouncer(
      'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options,extra_float_digits',
    );
    try {
      expect(await problemsAt(lenient.port)).toEqual([DROPPED, DROPPED]);
    } finally {
      await lenient.stop();
    }
  });

  ifInstalled('leaves the settings of a page to no other user of a connection', async () => {
    const pooler = await startPgbouncer('default_pool_size = 1');
    const url = server();
    url.port = String(pooler.port);
    const [one, other] = [1, 2].map(() => openPool({ connectionString: url.href, max: 1 }));
    try {
      const setting = `SELECT pg_backend_pid() AS connection, current_setting('enable_sort') AS sort`;
      const page = await readInIndexOrder(one as pg.Pool, { text: setting, values: [] });
      const { rows: next } = await (other as pg.Pool).query(setting);
      expect(page).toEqual([{ ...next[0], sort: 'off' }]);
      expect(next).toMatchObject([{ sort: 'on' }]);
    } finally {
      await Promise.all([one?.end(), other?.end()]);
      await pooler.stop();
    }
  });
});

/** In transaction mode, in front of the server of the test run. */
async function startPgbouncer(setting: string): Promise<{ port: number; stop(): Promise<void> }> {
  const { hostname, port: serverPort, username, password } = server();
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const port = await freePort('127.0.0.1');
  const configuration = join(folder, 'pgbouncer.ini');
  writeFileSync(
    configuration,
    `[databases]
* = host=${hostname} port=${serverPort} user=${decodeURIComponent(username)} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
pool_mode = transaction
unix_socket_dir =
${setting}
`,
  );
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child: ChildProcess = spawn(PGBOUNCER, [configuration], { ...account, stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  await eventually(async () => {
    const [problem] = await problemsAt(port);
    expect(problem).not.toMatch(/ECONNREFUSED/);
  });
  return {
    port,
    stop: async () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}
