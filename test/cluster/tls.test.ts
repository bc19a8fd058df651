import { readSettings } from '../../apps/platform/src/config/settings.js';
import { runProgram } from '../../apps/standalone/src/supervision/run-program.js';
import { openTemporalClient } from '../../apps/platform/src/temporal/temporal-client.js';
import { temporalPlace } from '../../apps/platform/src/temporal/temporal-place.js';
import { SERVER_NAME } from '../support/cluster/certificates.js';
import { startWholeCluster, type WholeCluster } from '../support/cluster/whole-cluster.js';

const MASTER_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const MIGRATE_WITHIN_MS = 120_000;

let cluster: WholeCluster;

beforeAll(async () => {
  cluster = await startWholeCluster();
});

afterAll(() => cluster?.stop());

/**
 * The reason why the frontend of the cluster cannot be used with these settings; null if it can.
 */
async function reasonWith(changed: Readonly<Record<string, string>>): Promise<string | null> {
  const env = { ...cluster.temporal.env, ...changed };
  const settings = readSettings({ DATABASE_URL: 'postgresql://db/t', MASTER_KEYS, ...env }, 'api');
  const client = openTemporalClient({
    ...temporalPlace(settings),
    masterKeys: settings.masterKeys,
  });
  await client.isAvailable();
  await client.close();
  return client.unavailableReason;
}

const migrateWith = (url: string) =>
  runProgram(process.execPath, ['dist/prisma/base/migrate/main.js'], {
    within: MIGRATE_WITHIN_MS,
    env: { PATH: process.env['PATH'], DATABASE_URL: url },
  });

describe('A frontend of Temporal that requires TLS and a client certificate', () => {
  it('accepts the certificate of its CA, by its address and by its name', async () => {
    expect(await reasonWith({})).toBeNull();
    expect(await reasonWith({ TEMPORAL_TLS_SERVER_NAME: SERVER_NAME })).toBeNull();
  });

  it.each([
    [
      'a foreign CA',
      () => ({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: cluster.certificates.foreignCa }),
      /^its certificate is signed by a CA that is not trusted: .*TEMPORAL_TLS_SERVER_CA_CERT_PATH.*$/,
    ],
    [
      'another name',
      () => ({ TEMPORAL_TLS_SERVER_NAME: 'other.internal' }),
      /^its certificate is for another name: .*TEMPORAL_TLS_SERVER_NAME.*$/,
    ],
    [
      'a client certificate of a foreign CA',
      () => ({
        TEMPORAL_TLS_CLIENT_CERT_PATH: cluster.certificates.foreignClient.certificate,
        TEMPORAL_TLS_CLIENT_KEY_PATH: cluster.certificates.foreignClient.key,
      }),
      /^it .*client certificate that it trusts.*TEMPORAL_TLS_CLIENT_CERT_PATH.*$/,
    ],
  ])('causes a one-line error about %s', async (_case, changed, reason) => {
    expect(await reasonWith(changed())).toMatch(reason);
  });
});

describe('A PostgreSQL that requires TLS', () => {
  it('is migrated over a connection that is checked against its CA', async () => {
    expect(await migrateWith(cluster.postgres.urlOf())).toMatchObject({ ok: true });
  });

  it.each([
    [
      'a foreign CA',
      () => cluster.postgres.urlOf(undefined, cluster.certificates.foreignCa),
      /^The database server of DATABASE_URL is not trusted: certificate .* sslrootcert/,
    ],
    [
      'a connection without TLS',
      () => cluster.postgres.urlOf().replace(/\?.*/, '?sslmode=disable'),
      /if the server requires TLS, add sslmode=verify-full/,
    ],
  ])('causes a one-line error about %s', async (_case, url, reason) => {
    const { ok, output } = await migrateWith(url());
    expect(ok).toBe(false);
    expect(output.split('\n')).toHaveLength(1);
    expect(output).toMatch(reason);
  });
});
