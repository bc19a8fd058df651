import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import dns from 'node:dns';
import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PostgresCluster,
  POSTGRES_USER,
} from '../../../apps/standalone/src/postgres/postgres-cluster.js';
import { postgresAccount } from '../../../apps/standalone/src/postgres/postgres-account.js';
import {
  createCertificateAuthority,
  type CertificateAuthority,
} from '../../../simulators/vendors/fdx/certificates/certificate-authority.js';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { openDatabase } from '../../../prisma/base/database/database.js';
import { setupProblem } from '../../../prisma/base/database/database-failures.js';
import { eventually } from '../../support/assertions/eventually.js';

const PASSWORD = 'canary-password';

describe('PostgreSQL that accepts TLS only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-pg-tls-'));
  let server: ChildProcess | undefined;
  let port: number;
  let files: {
    ca: string;
    foreignCa: string;
    cert: string;
    key: string;
    otherCert: string;
    otherKey: string;
  };
  beforeAll(async () => {
    chmodSync(folder, 0o755);
    const [ca, foreign] = [await createCertificateAuthority(), await createCertificateAuthority()];
    port = await freePort('127.0.0.1');
    server = await startPostgres(ca);
    const own = await ca.issueForClient({ subject: `CN=${POSTGRES_USER}` });
    const other = await foreign.issueForClient({ subject: `CN=${POSTGRES_USER}` });
    files = {
      ca: file('ca.pem', ca.certificate),
      foreignCa: file('foreign.pem', foreign.certificate),
      cert: file('client.pem', own.certificate),
      key: file('client.key', own.key),
      otherCert: file('other.pem', other.certificate),
      otherKey: file('other.key', other.key),
    };
  });
  afterAll(() => {
    server?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  function file(name: string, contents: string): string {
    const path = join(folder, name);
    writeFileSync(path, contents);
    return path;
  }

  async function startPostgres(ca: CertificateAuthority): Promise<ChildProcess> {
    const data = join(folder, 'data');
    const cluster = new PostgresCluster({
      folder: data,
      port,
      password: PASSWORD,
      durable: false,
      log: 'ignore',
    });
    await cluster.initialize();
    const { key, certificate: issued } = await ca.issueForServer('localhost');
    install({
      'server.crt': issued,
      'server.key': key,
      'clients.crt': ca.certificate,
      'pg_hba.conf': 'hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-full\n',
    });
    appendFileSync(
      join(data, 'postgresql.conf'),
      "\nssl = on\nssl_cert_file = 'server.crt'\nssl_key_file = 'server.key'\nssl_ca_file = 'clients.crt'\n",
    );
    const child = (await cluster.start())();
    process.once('exit', () => child.kill('SIGKILL'));
    return child;
  }

  function install(contents: Record<string, string>): void {
    const data = join(folder, 'data');
    const account = postgresAccount(data);
    for (const [name, text] of Object.entries(contents)) {
      writeFileSync(join(data, name), text, { mode: 0o600 });
      if (account !== undefined) chownSync(join(data, name), account.uid, account.gid);
    }
  }

  /** Null if it connects. */
  async function problem(query: string, host = 'localhost'): Promise<string | null> {
    const database = openDatabase({
      url: `postgresql://${POSTGRES_USER}:${PASSWORD}@${host}:${port}/postgres${query}`,
      name: 'tls-tests',
      onError: () => undefined,
    });
    try {
      const tries = await Promise.allSettled([
        database.ping(),
        database.prisma.$queryRaw`SELECT 1`,
      ]);
      const [ours, prismas] = tries.map((outcome) =>
        outcome.status === 'rejected'
          ? (setupProblem(outcome.reason) ?? String(outcome.reason))
          : null,
      );
      expect(prismas).toBe(ours);
      return ours ?? null;
    } finally {
      await database.close();
    }
  }
  const certificate = () => `&sslcert=${files.cert}&sslkey=${files.key}`;

  it('accepts a connection with verify-full, its own CA and a client certificate', async () => {
    await eventually(async () =>
      expect(
        await problem(`?sslmode=verify-full&sslrootcert=${files.ca}${certificate()}`),
      ).toBeNull(),
    );
  });

  it('causes a one-line error that names the problem, without any part of the address', async () => {
    const withCa = `?sslmode=verify-full&sslrootcert=${files.ca}`;
    const problems = [
      await problem(`?sslmode=verify-full&sslrootcert=${files.foreignCa}${certificate()}`),
      await problem(withCa),
      await problem(`${withCa}&sslcert=${files.otherCert}&sslkey=${files.otherKey}`),
      await problem(''),
    ];
    expect(problems).toEqual([
      expect.stringContaining('signed by a CA that is not trusted'),
      expect.stringContaining('requires a client certificate'),
      expect.stringContaining('does not trust the client certificate'),
      expect.stringContaining('add sslmode=verify-full'),
    ]);
    for (const line of problems) expect(line).not.toMatch(/\n|canary-password|localhost/);
  });

  it('causes an error that explains sslmode=require, and its replacement', async () => {
    expect(await problem(`?sslmode=require${certificate()}`)).toBe(
      'The certificate of the PostgreSQL server is signed by a CA that is not trusted: name the certificate of that CA with sslrootcert in DATABASE_URL, and write sslmode=verify-full. ' +
        'In this service sslmode=require checks certificate and name as verify-full does; sslmode=no-verify encrypts without checking who the server is.',
    );
    expect(await problem(`?sslmode=require&sslrootcert=${files.ca}${certificate()}`)).toBeNull();
  });

  it('causes an error that names a certificate for another name', async () => {
    const here = { address: '127.0.0.1', family: 4 };
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((
        _name: string,
        options: { all?: boolean },
        found: (error: null, ...answer: unknown[]) => void,
      ) =>
        found(null, ...(options.all === true ? [[here]] : [here.address, here.family]))) as never);
    expect(
      await problem(`?sslmode=verify-full&sslrootcert=${files.ca}${certificate()}`, 'db.internal'),
    ).toBe(
      'The certificate of the PostgreSQL server is for another name: use one of its names in DATABASE_URL, or issue one for the name in DATABASE_URL.',
    );
  });
});
