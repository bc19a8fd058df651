import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { take } from '../../tools/cache.mjs';

const INSTALL_WITHIN_MS = 180_000;

/**
 * A Python with the packages of a requirements file, installed once and cached; or the reason why
 * there is none.
 */
export function pythonWith(requirements, { modules, minVersion = [3, 0] }) {
  const wanted = readFileSync(requirements, 'utf8');
  const folder = join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'tributary',
    `python-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`,
  );
  const path = join(folder, 'bin', 'python');
  const isInstalled = () =>
    existsSync(join(folder, 'complete')) &&
    spawnSync(path, ['-c', `import ${modules}`]).status === 0;
  if (isInstalled()) return { path };
  const python = findPython(minVersion);
  if (python === null) return { missing: `no Python ${minVersion.join('.')} or newer` };
  mkdirSync(dirname(folder), { recursive: true });
  return inTurn(`${folder}.lock`, () => {
    if (isInstalled()) return { path };
    const missing = install(python, requirements, folder);
    return missing === null ? { path } : { missing };
  });
}

/** @returns the reason why the packages cannot be installed, or null */
function install(python, requirements, folder) {
  // Installed under a temporary name, so that an interrupted installation does not look complete.
  const making = `${folder}.${process.pid}`;
  try {
    for (const [program, ...args] of [
      [python, '-m', 'venv', making],
      [join(making, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', '-r', requirements],
    ]) {
      const { status, stderr, error } = spawnSync(program, args, {
        encoding: 'utf8',
        timeout: INSTALL_WITHIN_MS,
      });
      if (status !== 0)
        return (error?.message ?? stderr.trim().split('\n').at(-1) ?? '').slice(0, 300);
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(making, folder);
    writeFileSync(join(folder, 'complete'), '');
    return null;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Does work while no other process holds the lock: test files that need the same packages start at the same time. */
function inTurn(lock, work) {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (!take(lock)) Atomics.wait(pause, 0, 0, 200);
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** The first Python of the search path, or of pyenv, that is new enough. */
function findPython([major, minor]) {
  const pyenv = join(process.env.PYENV_ROOT || join(homedir(), '.pyenv'), 'versions');
  const installed = existsSync(pyenv)
    ? readdirSync(pyenv).map((version) => join(pyenv, version, 'bin', 'python3'))
    : [];
  const isNewEnough = `import sys; sys.exit(sys.version_info < (${major}, ${minor}))`;
  const candidates = ['python3', `python${major}.${minor}`, ...installed];
  return candidates.find((path) => spawnSync(path, ['-c', isNewEnough]).status === 0) ?? null;
}
