import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartFailure } from '../start-failure.js';
import { processIdentity } from '../supervision/process-identity.js';

interface Owner {
  pid: number;
  started: string | undefined;
}

const SETTLE_MS = 50;

/**
 * Locks a data folder for this instance. The lock of a dead owner is replaced. @returns a
 * function that releases it @throws StartFailure
 */
export async function lockInstance(folder: string, path: string): Promise<() => void> {
  const me: Owner = { pid: process.pid, started: processIdentity(process.pid) };
  if (!tryWrite(path, me)) {
    const owner = readOwner(path);
    if (owner?.started !== undefined && processIdentity(owner.pid) === owner.started)
      throw inUse(folder, owner);
    rmSync(path, { force: true });
    tryWrite(path, me);
    // Two instances found the same dead lock concurrently: the one whose file was removed finds the
    // other's name.
    await sleep(SETTLE_MS);
    const winner = readOwner(path);
    if (winner?.pid !== me.pid) throw inUse(folder, winner);
  }
  return () => {
    if (readOwner(path)?.pid === me.pid) rmSync(path, { force: true });
  };
}

const inUse = (folder: string, owner: Owner | undefined) =>
  new StartFailure(
    `The data folder ${folder} is in use by another instance${owner === undefined ? '' : ` (process ${owner.pid})`}. ` +
      'Stop it, or choose another folder with --data-dir and free ports with --auto-ports.',
  );

function tryWrite(path: string, owner: Owner): boolean {
  try {
    writeFileSync(path, JSON.stringify(owner), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined when a crash left no readable content: the lock then has no owner. */
function readOwner(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}
