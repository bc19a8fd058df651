import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './process.mjs';

const CACHE = join(ROOT, 'node_modules/.cache/tributary');

/**
 * Does work, one process at a time, unless its inputs (files, and folders with their contents) are those of its last
 * success and its outputs exist. Paths are those from the root.
 * @param work returns whether it succeeded
 * @returns whether the outputs are current
 */
export function unlessCurrent(name, { inputs, outputs }, work) {
  return withLock(name, async () => {
    const stamp = join(CACHE, `${name}.stamp`);
    const digest = digestOf(inputs.flatMap(filesBelow));
    const isCurrent = outputs.every((path) => existsSync(join(ROOT, path)));
    if (isCurrent && readIfThere(stamp) === digest) return true;
    if (!(await work())) return false;
    writeFileSync(stamp, digest);
    return true;
  });
}

/**
 * Does work while no other process holds the lock of that name. The lock of a dead process is replaced.
 * @param folder the folder of the lock; by default that of this clone
 */
export async function withLock(name, work, { folder = CACHE } = {}) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.lock`);
  while (!take(file)) await sleep(100);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** The files of a folder at any depth, by their paths from the root; of a file, the file itself. */
export function filesBelow(path) {
  if (!existsSync(join(ROOT, path))) return [];
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[\\/]node_modules[\\/]/.test(entry.parentPath))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

/** Takes the lock, unless a living process holds it. @returns whether it did */
export function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isAlive(Number(readIfThere(file)))) rmSync(file, { force: true });
    return false;
  }
}

function isAlive(pid) {
  try {
    // An owner that has not written its number yet counts as alive for this round.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
