import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Account } from '../supervision/launch.js';

/**
 * PostgreSQL refuses to run as root; then it runs as the owner of its files, or as an account that
 * every system has.
 * Undefined: the current account.
 */
export function postgresAccount(folder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  // An account of Unix systems. cspell:disable-next-line
  return accountNamed('postgres') ?? accountNamed('nobody') ?? { uid: 65_534, gid: 65_534 };
}

function accountNamed(name: string): Account | undefined {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(
        execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      ),
    );
    return uid === undefined || gid === undefined || Number.isNaN(uid + gid)
      ? undefined
      : { uid, gid };
  } catch {
    return undefined;
  }
}
