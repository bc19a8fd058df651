import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * The packages that npm publishes of each runtime. The program is in the only package of `scope` that
 * npm chooses for the platform.
 */
const RUNTIMES = {
  bun: { version: '1.4.5', scope: '@oven', file: 'bin/bun' },
  deno: { version: '2.9.6', scope: '@deno', file: 'deno' },
  workerd: { version: '1.20261117.1', scope: '@cloudflare', file: 'bin/workerd' },
};
const INSTALL_WITHIN_MS = 240_000;

export type RuntimeName = keyof typeof RUNTIMES;

/**
 * A group of tests in a runtime, which is installed once for this computer. Where it cannot be, the
 * group is skipped, counted and reported.
 */
export function describeIn(runtime: RuntimeName, tests: (program: string) => void): void {
  const name = `The Node client in ${runtime} ${RUNTIMES[runtime].version}`;
  const found = install(runtime);
  if ('program' in found) return describe(name, () => tests(found.program));
  process.stderr.write(`SKIPPED: ${name}, which could not be installed: ${found.missing}\n`);
  describe.skip(name, () => tests(''));
}

function install(runtime: RuntimeName): { program: string } | { missing: string } {
  const { version, scope, file } = RUNTIMES[runtime];
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = join(cache, 'tributary', `${runtime}-${version}`);
  const programIn = (place: string): string | undefined => {
    const packages = join(place, 'node_modules', scope);
    const [platform] = existsSync(packages) ? readdirSync(packages) : [];
    if (platform === undefined) return undefined;
    const program = join(packages, platform, file);
    return spawnSync(program, ['--version']).status === 0 ? program : undefined;
  };
  const program = programIn(folder);
  if (program !== undefined) return { program };
  mkdirSync(dirname(folder), { recursive: true });
  // Under a temporary name, so that an interrupted installation does not look complete.
  const making = mkdtempSync(`${folder}-`);
  try {
    const npm = ['install', '--prefix', making, '--ignore-scripts', '--no-audit', '--no-fund'];
    const { status, stderr, error } = spawnSync('npm', [...npm, `${runtime}@${version}`], {
      encoding: 'utf8',
      timeout: INSTALL_WITHIN_MS,
    });
    if (status !== 0) return { missing: error?.message ?? stderr.trim().slice(0, 300) };
    if (programIn(making) === undefined) return { missing: 'it does not run on this platform' };
    rmSync(folder, { recursive: true, force: true });
    renameSync(making, folder);
    return { program: programIn(folder) ?? '' };
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
