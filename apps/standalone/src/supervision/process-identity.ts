import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The start time of the process with this id, in the format of the system: an id alone may belong to
 * another process by now. Undefined when there is none, or only a zombie.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? identityFromProc(pid) : identityFromPs(pid);
}

function identityFromProc(pid: number): string | undefined {
  try {
    // The name, the second field, may contain spaces and brackets; fields are counted from after
    // it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

function identityFromPs(pid: number): string | undefined {
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return started === '' ? undefined : started;
  } catch {
    return undefined;
  }
}
