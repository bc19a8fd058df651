// cspell:ignore bavail statfs
import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keepSharedServices } from './keep-shared-services.mjs';
import { queryAt } from './postgres.mjs';

const TEMPLATE = 'tributary_template';
/** In memory on Linux, unless it is as small as in most containers. */
const MEMORY_FOLDER = '/dev/shm';
const SPACE_OF_DATABASES = 2 * 1024 ** 3;
/**
 * Created with the server, because not every part of the server knows a later namespace at once.
 * Each has a cost for the server while it runs.
 */
const NAMESPACES = Array.from({ length: 32 }, (_, index) => `service-${index + 1}`);

/**
 * Starts the PostgreSQL and Temporal servers that tests share, on free ports and a temporary
 * folder. `durable` false lets PostgreSQL lose committed data when the machine crashes, which is
 * faster.
 * @returns their addresses as environment, and `stop`
 */
export async function startServices({ temporal = true, durable = false } = {}) {
  const dist = (path) =>
    import(new URL(`../../../dist/apps/standalone/src/${path}`, import.meta.url));
  const [{ PostgresCluster }, { SupervisedProcess }, { freePort }, { createProgress }] =
    await Promise.all([
      dist('postgres/postgres-cluster.js'),
      dist('supervision/supervised-process.js'),
      dist('ports.js'),
      dist('progress.js'),
    ]);
  const folder = mkdtempSync(join(durable ? tmpdir() : fastestFolder(), 'tributary-test-'));
  chmodSync(folder, 0o711);
  const parts = [];
  let shared;
  const env = {};
  const killAll = () => {
    shared?.kill();
    for (const part of parts) part.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', killAll);

  const startPart = async (options) => {
    const part = new SupervisedProcess({ readyWithin: 120_000, ...options });
    parts.unshift(part);
    await part.start();
  };
  const stop = async () => {
    try {
      await shared?.stop();
    } finally {
      for (const part of parts.splice(0)) await part.stop(10_000);
      process.off('exit', killAll);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  };

  const startPostgres = async () => {
    const cluster = new PostgresCluster({
      folder: join(folder, 'postgres'),
      port: await freePort('127.0.0.1'),
      password: randomBytes(12).toString('hex'),
      durable,
      log: 'ignore',
    });
    await cluster.initialize();
    await startPart({
      name: 'PostgreSQL',
      start: await cluster.start(),
      isReady: () => cluster.isReady(),
      stopSignal: 'SIGINT',
    });
    await cluster.ensureDatabase(TEMPLATE);
    await promisify(execFile)(
      process.execPath,
      [fileURLToPath(new URL('../../../dist/prisma/base/migrate/main.js', import.meta.url))],
      { env: { ...process.env, DATABASE_URL: cluster.urlOf(TEMPLATE) } },
    );
    // Assigns the next namespace to each service that a test starts.
    await queryAt(cluster.urlOf('postgres'), 'CREATE SEQUENCE test_services');
    env.TEST_DATABASE_URL = cluster.urlOf('postgres');
    env.TEST_TEMPLATE_DATABASE = TEMPLATE;
  };

  const startTemporal = async () => {
    const [{ searchTemporal }, { TemporalServer }] = await Promise.all([
      dist('service/early-search.js'),
      dist('temporal/temporal-server.js'),
    ]);
    const program = await searchTemporal({
      cliPath: process.env.TEMPORAL_CLI_PATH || undefined,
      env: process.env,
      progress: createProgress(process.stdout),
    });
    const server = new TemporalServer({
      program,
      port: await freePort('127.0.0.1'),
      uiPort: undefined,
      namespace: 'default',
      furtherNamespaces: NAMESPACES,
      databaseFile: join(folder, 'temporal.db'),
      log: 'ignore',
    });
    await startPart({
      name: 'Temporal',
      start: () => server.start(),
      isReady: () => server.isReady(),
      stopSignal: 'SIGTERM',
    });
    env.TEST_TEMPORAL_ADDRESS = server.address;
    // Tests that start the service themselves need not search again.
    env.TEMPORAL_CLI_PATH = program;
  };

  /** A database and a namespace for one more service. */
  const place = async () => {
    const [{ number }] = await queryAt(
      env.TEST_DATABASE_URL,
      "SELECT nextval('test_services') AS number",
    );
    const database = new URL(env.TEST_DATABASE_URL);
    database.pathname = `/shared_service_${number}`;
    await queryAt(
      env.TEST_DATABASE_URL,
      `CREATE DATABASE shared_service_${number} TEMPLATE ${TEMPLATE}`,
    );
    return {
      DATABASE_URL: database.href,
      TEMPORAL_ADDRESS: env.TEST_TEMPORAL_ADDRESS,
      TEMPORAL_NAMESPACE: NAMESPACES[number - 1],
    };
  };

  try {
    await Promise.all([startPostgres(), ...(temporal ? [startTemporal()] : [])]);
    if (temporal) {
      shared = await keepSharedServices({ folder, place });
      env.TEST_SHARED_SERVICES = shared.url;
    }
    return { env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The memory folder when it has room. Each test file creates and drops a database of 500 files, and ext4 does not use
 * the places of deleted files again for minutes: finding others took a tenth of the processor time of a run.
 */
function fastestFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= SPACE_OF_DATABASES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}
