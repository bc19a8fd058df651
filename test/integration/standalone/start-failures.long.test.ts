import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresCluster } from '../../../apps/standalone/src/postgres/postgres-cluster.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import { dataDir, failToStart, removeFailedStarts } from './support/failed-start.js';
import { queryAt } from '../../support/services/postgres.mjs';

afterAll(removeFailedStarts);

describe('npm start explains the problem and the fix', () => {
  it('when others would reach it without TLS', async () => {
    const output = await failToStart({ env: { BASE_URL: 'http://api.example' } });
    expect(output).toContain(
      'BASE_URL must be https unless it is a loopback address: put a proxy with TLS in front and name its address, or set INSECURE_BASE_URL=allow for development on a LAN',
    );
  });

  it('when the database has a migration that this version lacks', async () => {
    const database = await createTestDatabase();
    await queryAt(
      database.url,
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count) VALUES ('lost', 'x', '20990101000000_lost', now(), now(), 1)",
    );
    const output = await failToStart({ env: { DATABASE_URL: database.url } });
    await database.drop();
    expect(output).toContain(
      'The database has migrations this version does not: 20990101000000_lost. Run the version that wrote the database',
    );
  });

  it('when the Temporal program is missing', async () => {
    const output = await failToStart({
      env: { TEMPORAL_ADDRESS: '', TEMPORAL_CLI_PATH: '/nowhere/temporal' },
    });
    expect(output).toContain(
      'TEMPORAL_CLI_PATH names /nowhere/temporal, which is not there. Correct it, or leave it empty to have one found.',
    );
  });

  it('when the database files are damaged', async () => {
    const folder = dataDir();
    await new PostgresCluster({
      folder: join(folder, 'postgres'),
      port: 1,
      password: 'x',
      durable: false,
      log: 'ignore',
    }).initialize();
    writeFileSync(join(folder, 'postgres', 'global', 'pg_control'), 'damaged');
    const output = await failToStart({ dataDir: folder });
    expect(output).toContain('PostgreSQL ended before it was ready.');
    expect(output).toContain('global/pg_control');
    expect(readdirSync(join(folder, 'logs'))).toContain('postgres.log');
  });
});
