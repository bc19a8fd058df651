import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DataFolder } from '../../../apps/standalone/src/data-folder/data-folder.js';
import { readOrMakeSecrets } from '../../../apps/standalone/src/data-folder/stored-secrets.js';
import { PostgresCluster } from '../../../apps/standalone/src/postgres/postgres-cluster.js';
import { StartFailure } from '../../../apps/standalone/src/start-failure.js';
import { dataDir, failToStart, removeFailedStarts } from './support/failed-start.js';

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

// start-failures.long.test.ts has the reasons that cheaper tests explain in the same words, and
// damaged database files.
describe('npm start explains the problem and the fix', () => {
  it('when a port is in use', async () => {
    const [API_PORT, SANDBOX_BANK_PORT] = [await busyPort(), await busyPort()];
    const output = await failToStart({ env: { API_PORT, SANDBOX_BANK_PORT } });
    expect(output).toContain(
      `Port ${API_PORT} (API_PORT), port ${SANDBOX_BANK_PORT} (SANDBOX_BANK_PORT) are in use. ` +
        'Stop the program that uses it, set another port, or start with --auto-ports.',
    );
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

  it.each([
    [['--port', '65526'], '--port is a number from 1 to 65525.'],
    [['--port', '4000', '--auto-ports'], '--port does not go with --auto-ports.'],
  ])('when its ports are %j', async (args, reason) =>
    expect(await failToStart({ args })).toContain(reason),
  );

  it('when an option is unknown', async () => {
    const output = await failToStart({ args: ['--everything'] });
    expect(output).toContain("Unknown option '--everything'");
    expect(output).toContain('--auto-ports');
  });
});

describe('A data folder is refused before anything starts', () => {
  it('when it is a file', () => {
    const file = join(dataDir(), 'file');
    writeFileSync(file, '');
    expect(() => new DataFolder(file)).toThrow(
      new StartFailure(
        `The data folder ${file} cannot be used: EEXIST: file already exists, mkdir '${file}'. Choose another one with --data-dir.`,
      ),
    );
  });

  it('when its stored keys cannot be read', () => {
    const path = join(dataDir(), 'secrets.json');
    writeFileSync(path, '{ "master_keys":');
    expect(() => readOrMakeSecrets(path)).toThrow(
      new StartFailure(
        `The data folder is damaged: ${path} cannot be read. It holds the only keys to what the database has sealed: ` +
          'restore it from a backup, or move the whole data folder away to start empty.',
      ),
    );
  });

  it('when its database folder does not contain a database', async () => {
    const folder = dataDir();
    writeFileSync(join(folder, 'stray'), '');
    const cluster = new PostgresCluster({
      folder,
      port: 1,
      password: 'x',
      durable: false,
      log: 'ignore',
    });
    await expect(cluster.initialize()).rejects.toThrow(
      new StartFailure(
        `The data folder is damaged: ${folder} has files but no PG_VERSION. Restore it from a backup, or move it away to start empty.`,
      ),
    );
  });
});
