import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { constants, homedir, setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { withLock } from '../../tools/cache.mjs';
import { ROOT } from '../../tools/process.mjs';

const MIN_VERSION = 6;
const SUITE = 'trixie';
const MIRROR = 'http://deb.debian.org/debian';
const PACKAGES = ['swiftlang', 'libc6-dev', 'libstdc++-14-dev', 'git', 'ca-certificates'];
/** Outside this clone: 3 GB are enough once, and `npm ci` deletes node_modules. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tributary');
const DEBIAN = join(CACHE, `swift-${SUITE}`);
const DEBIAN_PATH = '/usr/libexec/swift/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const HOW_TO_GET_IT =
  `Swift ${MIN_VERSION} or newer comes with Xcode, from swift.org, or as swiftlang in Debian ${SUITE}. ` +
  'As root on Debian, REQUIRE_SWIFT=1 installs it into a folder of ~/.cache/tributary (3 GB).';

/**
 * A compiler for the Swift package: `swift` on PATH, or Debian's in a root of its own under
 * ~/.cache/tributary. That root is made only when REQUIRE_SWIFT=1 asks for it: a test run installs
 * nothing on a person's computer.
 * @returns `command(program, args, env)`, which spawns a program of the toolchain in a folder of this project, or
 * `missing`, why there is none
 */
export async function findSwift() {
  const version = /Swift version (\d+)/.exec(
    spawnSync('swift', ['--version'], { encoding: 'utf8' }).stdout ?? '',
  );
  if (version !== null && Number(version[1]) >= MIN_VERSION) return { command: onThisSystem };
  if (existsSync(DEBIAN)) return { command: inDebianRoot };
  const found = version === null ? 'There is no swift' : `swift is version ${version[1]}`;
  if (process.env.REQUIRE_SWIFT !== '1') return { missing: `${found}. ${HOW_TO_GET_IT}` };
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version'))
    return { missing: `${found}, and this is not root on Debian. ${HOW_TO_GET_IT}` };
  const problem = await withLock('swift', installDebianRoot, { folder: CACHE });
  return problem === '' ? { command: inDebianRoot } : { missing: `${found}: ${problem}` };
}

/** Runs a program of the toolchain to its end. @returns its status and all it wrote */
export async function runSwift({ command }, program, args, { folder, env = {} }) {
  const [file, allArgs, options] = command(program, args, { folder, env });
  return run(file, allArgs, options);
}

function onThisSystem(program, args, { folder, env = {} }) {
  // Xcode has it, and does not put it on PATH.
  if (program === 'docc' && process.platform === 'darwin')
    return onThisSystem('xcrun', ['docc', ...args], { folder, env });
  return [program, args, { cwd: join(ROOT, folder), env: { ...process.env, ...env } }];
}

/**
 * In a mount namespace of its own, so that /proc, which the compiler needs, and the project are
 * there for this process only: deleting the root later deletes nothing else.
 */
function inDebianRoot(program, args, { folder, env = {} }) {
  return enter(
    DEBIAN,
    'mkdir -p "$1$2" && mount --bind "$2" "$1$2" && exec chroot "$1" env -C "$2/$3" "${@:4}"',
    [ROOT.replace(/\/$/, ''), folder, program, ...args],
    env,
  );
}

function enter(root, script, args, env = {}) {
  const withProc = `set -e; mount -t proc proc "$1/proc"; ${script}`;
  return [
    'unshare',
    ['--mount', 'bash', '-c', withProc, 'bash', root, ...args],
    { env: { PATH: DEBIAN_PATH, HOME: '/root', LANG: 'C.UTF-8', ...env } },
  ];
}

/** @returns why there is no root, or an empty string */
async function installDebianRoot() {
  if (existsSync(DEBIAN)) return '';
  // Made under another name, so that an interrupted installation does not look complete.
  const making = `${DEBIAN}.making`;
  rmSync(making, { recursive: true, force: true });
  const install = [
    'export DEBIAN_FRONTEND=noninteractive',
    `apt-get -qq install -y --no-install-recommends -o Dpkg::Options::=--force-unsafe-io ${PACKAGES.join(' ')}`,
    'apt-get clean',
  ].join(' && ');
  const [debootstrap, debootstrapEnv] = await findDebootstrap();
  for (const [file, args, options] of [
    [
      'unshare',
      ['--mount', debootstrap, '--variant=minbase', SUITE, making, MIRROR],
      { env: { ...process.env, ...debootstrapEnv } },
    ],
    enter(making, 'exec chroot "$@"', ['sh', '-c', install]),
    enter(making, 'exec chroot "$@"', ['swift', '--version']),
  ]) {
    const { status, output } = await run(file, args, options);
    if (status !== 0) return `Debian's could not be installed.\n${output.slice(-2_000)}`;
  }
  renameSync(making, DEBIAN);
  return '';
}

/**
 * Debian's installer. If it is missing, its files are used from the cache without installing them.
 */
async function findDebootstrap() {
  if (spawnSync('debootstrap', ['--version']).status === 0) return ['debootstrap', {}];
  const folder = join(CACHE, 'debootstrap');
  mkdirSync(folder, { recursive: true });
  const cwd = { cwd: folder };
  const download = await run('apt-get', ['-qq', 'download', 'debootstrap'], cwd);
  if (download.status !== 0) {
    await run('apt-get', ['-qq', 'update'], cwd);
    await run('apt-get', ['-qq', 'download', 'debootstrap'], cwd);
  }
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb')))
    await run('dpkg-deb', ['-x', file, '.'], cwd);
  return [
    join(folder, 'usr/sbin/debootstrap'),
    { DEBOOTSTRAP_DIR: join(folder, 'usr/share/debootstrap') },
  ];
}

async function run(file, args, options) {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  // The tests of the other levels wait for services, and must not wait for a compiler, too.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const status = new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: await status, output: stdout + stderr };
}
