import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PostgresCluster } from '../../../apps/standalone/src/postgres/postgres-cluster.js';
import { dataDir, failToStart, removeFailedStarts } from './support/failed-start.js';
import { startStandalone } from './support/standalone-process.js';

const servers: Server[] = [];
afterAll(async () => {
  await removeFailedStarts();
  for (const server of servers) server.close();
});

async function busyPort(): Promise<string> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return String((server.address() as AddressInfo).port);
}

// start-failures.long.test.ts has the reasons that cheaper tests explain in the same words.
describe('npm start explains the problem and the fix', () => {
  it('when a port is in use', async () => {
    const [API_PORT, SANDBOX_BANK_PORT] = [await busyPort(), await busyPort()];
    const output = await failToStart({ env: { API_PORT, SANDBOX_BANK_PORT } });
    expect(output).toContain(
      `Port ${API_PORT} (API_PORT), port ${SANDBOX_BANK_PORT} (SANDBOX_BANK_PORT) are in use. ` +
        'Stop the program that uses it, set another port, or start with --auto-ports.',
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

  it('when the stored keys cannot be read', async () => {
    const folder = dataDir();
    writeFileSync(join(folder, 'secrets.json'), '{ "master_keys":');
    const output = await failToStart({ dataDir: folder });
    expect(output).toContain(
      `The data folder is damaged: ${join(folder, 'secrets.json')} cannot be read.`,
    );
    expect(output).toContain(
      'restore it from a backup, or move the whole data folder away to start empty',
    );
  });

  it('when the database folder does not contain a database', async () => {
    const folder = dataDir();
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'stray'), '');
    const output = await failToStart({ dataDir: folder });
    expect(output).toContain(
      `The data folder is damaged: ${join(folder, 'postgres')} has files but no PG_VERSION.`,
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

  it('when the database does not exist', async () => {
    const output = await failToStart({
      env: { DATABASE_URL: 'postgresql://a:canary-password@127.0.0.1:1/x' },
    });
    expect(output).toContain('The database server of DATABASE_URL cannot be reached.');
    expect(output).not.toContain('canary-password');
  });

  it('when settings are wrong, all at once', async () => {
    const output = await failToStart({ env: { LINK_SESSION_TTL: 'soon', LOG_LEVEL: 'loud' } });
    expect(output).toContain('LINK_SESSION_TTL must be a duration');
    expect(output).toContain('LOG_LEVEL must be one of');
  });

  it('when the data folder is a file', async () => {
    const file = join(dataDir(), 'file');
    writeFileSync(file, '');
    const standalone = startStandalone({ dataDir: file });
    const { code, output } = await standalone.ended();
    expect(code).toBe(1);
    expect(output).toContain(`The data folder ${file} cannot be used:`);
  });

  it('when an option is unknown', async () => {
    const output = await failToStart({ args: ['--everything'] });
    expect(output).toContain("Unknown option '--everything'");
    expect(output).toContain('--auto-ports');
  });
});
