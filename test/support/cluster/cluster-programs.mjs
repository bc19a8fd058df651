import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../../../tools/cache.mjs';

/**
 * The newest that Go installs by name alone. docker-compose.yml and most operators have the same.
 */
const SERVER_VERSION = 'v1.31.2';
const PROGRAMS = {
  server: 'go.temporal.io/server/cmd/server',
  sql: 'go.temporal.io/server/cmd/tools/sql',
};
/** Of processor time. */
const BUILD_MINUTES = 11;

/**
 * The Temporal server and its schema tool, built with Go once for this computer, and PostgreSQL
 * with everything that Temporal needs. Requires the build of the searches.
 * @returns `env`, which names the programs to tests and benches, or `missing`, the reason why there
 * are none
 */
export async function findClusterPrograms() {
  const [{ findPostgres }, { buildTime, goInstall, hasGo }] = await Promise.all([
    fromDist('postgres/postgres-binaries.js'),
    fromDist('temporal/go-install.js'),
  ]);
  try {
    await findPostgres();
  } catch (error) {
    return { missing: error.message };
  }
  const folder = join(cacheFolder(), 'tributary', 'temporal-server', SERVER_VERSION);
  const build = async () => {
    if (!(await hasGo(process.env))) return 'Go is not installed';
    process.stdout.write(
      `Building the Temporal server ${SERVER_VERSION} with Go, once for this computer; ${buildTime(BUILD_MINUTES)}\n`,
    );
    const unfinished = mkdtempSync(join(folder, 'build-'));
    try {
      const { ok, output } = await goInstall(sources(), { folder: unfinished, env: process.env });
      if (!ok) return `the build failed: ${output.split('\n').at(-1)}`;
      for (const name of Object.keys(PROGRAMS))
        renameSync(join(unfinished, name), join(folder, name));
      return undefined;
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  };
  const isBuilt = () => Object.keys(PROGRAMS).every((name) => existsSync(join(folder, name)));
  mkdirSync(folder, { recursive: true });
  const missing = await withLock('build', async () => (isBuilt() ? undefined : build()), {
    folder,
  });
  return missing === undefined
    ? { env: { CLUSTER_SERVER: join(folder, 'server'), CLUSTER_SQL_TOOL: join(folder, 'sql') } }
    : { missing };
}

const sources = () => Object.values(PROGRAMS).map((path) => `${path}@${SERVER_VERSION}`);

const fromDist = (path) =>
  import(new URL(`../../../dist/apps/standalone/src/${path}`, import.meta.url));

function cacheFolder() {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  return join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
}
