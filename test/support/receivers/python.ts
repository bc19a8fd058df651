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

const INSTALL_WITHIN_MS = 180_000;

/** The requirements of a Python besides the packages. */
export interface PythonNeeds {
  /** The modules that the packages provide, as `import` names them. */
  modules: string;
  /** The oldest sufficient version; any Python 3 by default. */
  minVersion?: readonly [3, number];
}

const RECEIVER: PythonNeeds = { modules: 'jwt, cryptography' };

/**
 * A Python with the packages of a requirements file, installed once and cached; or the reason why
 * there is none.
 */
export function pythonWith(
  requirements: string,
  { modules, minVersion = [3, 0] }: PythonNeeds = RECEIVER,
): { path: string } | { missing: string } {
  const wanted = readFileSync(requirements, 'utf8');
  const folder = join(
    process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
    'tributary',
    `python-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`,
  );
  const path = join(folder, 'bin', 'python');
  if (
    existsSync(join(folder, 'complete')) &&
    spawnSync(path, ['-c', `import ${modules}`]).status === 0
  )
    return { path };
  const python = findPython(minVersion);
  if (python === null) return { missing: `no Python ${minVersion.join('.')} or newer` };
  // Installed under a temporary name, so that an interrupted installation does not look complete.
  const making = `${folder}.${process.pid}`;
  try {
    mkdirSync(dirname(folder), { recursive: true });
    for (const [program, ...args] of [
      [python, '-m', 'venv', making],
      [join(making, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', '-r', requirements],
    ]) {
      const { status, stderr, error } = spawnSync(program ?? '', args, {
        encoding: 'utf8',
        timeout: INSTALL_WITHIN_MS,
      });
      if (status !== 0)
        return {
          missing: (error?.message ?? stderr.trim().split('\n').at(-1) ?? '').slice(0, 300),
        };
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(making, folder);
    writeFileSync(join(folder, 'complete'), '');
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return { path };
}

/** The first Python of the search path, or of pyenv, that is new enough. */
function findPython([major, minor]: readonly [3, number]): string | null {
  const pyenv = join(process.env['PYENV_ROOT'] || join(homedir(), '.pyenv'), 'versions');
  const installed = existsSync(pyenv)
    ? readdirSync(pyenv).map((version) => join(pyenv, version, 'bin', 'python3'))
    : [];
  const isNewEnough = `import sys; sys.exit(sys.version_info < (${major}, ${minor}))`;
  const candidates = ['python3', `python${major}.${minor}`, ...installed];
  return candidates.find((path) => spawnSync(path, ['-c', isNewEnough]).status === 0) ?? null;
}

/**
 * A group of tests that needs such a Python. Without it the group is skipped, counted and
 * reported.
 */
export function describeWithPython(
  name: string,
  requirements: string,
  tests: (python: string) => void,
  needs: PythonNeeds = RECEIVER,
): void {
  const python = pythonWith(requirements, needs);
  if ('missing' in python) {
    process.stderr.write(
      `SKIPPED: ${name}. There is no Python with the packages of ${requirements}, and they could not be installed: ${python.missing}\n`,
    );
    describe.skip(name, () => tests(''));
  } else {
    describe(name, () => tests(python.path));
  }
}
