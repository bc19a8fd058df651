import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The account that owns nothing. */
const ANYONE = 65_534;

/**
 * In a mount namespace of its own: every file system below `/` becomes read-only, then the program
 * starts as `ANYONE`, without a capability and without a means to gain one. Containers get the same
 * by `--read-only --cap-drop ALL`.
 */
const CONFINE = `
set -eu
app=$1; shift
mount --bind "$app" "$app"
mount -o remount,bind,ro "$app"
mount -o remount,bind,ro /
cd "$app"
exec setpriv --reuid=${ANYONE} --regid=${ANYONE} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
`;

/** The reason why a program cannot be confined here, or nothing. */
export function cannotConfine(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0) return 'needs root, to mount a read-only root';
  const { status } = spawnSync('unshare', ['--mount', 'setpriv', '--version']);
  return status === 0 ? undefined : 'needs unshare and setpriv of util-linux';
}

export interface ConfinedProcess {
  child: ChildProcess;
  /** Everything it has written. */
  output(): string;
  /** Its exit status, once it has exited. */
  ended: Promise<number | null>;
}

/** Starts a program in the folder, which it sees as a container sees its image. */
export function startConfined(
  folder: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): ConfinedProcess {
  const child = spawn('unshare', ['--mount', 'sh', '-c', CONFINE, 'sh', folder, ...command], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => void (output += chunk.toString('utf8'));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'close').then(([status]) => {
    process.off('exit', kill);
    return status as number | null;
  });
  return { child, output: () => output, ended };
}
