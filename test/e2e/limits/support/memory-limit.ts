import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A group of processes that Linux kills when together they use more memory than allowed, as it does
 * for containers.
 */
export interface MemoryLimit {
  /** Adds a process to the group. Memory that it allocates from now on counts. */
  add(pid: number): void;
  /** The peak memory use of the group, in bytes. */
  peak(): number;
  /** Call it once its processes have exited. */
  remove(): void;
}

/** The files of both versions of control groups. */
const VERSIONS = [
  {
    root: '/sys/fs/cgroup/memory',
    max: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
  },
  { root: '/sys/fs/cgroup', max: 'memory.max', peak: 'memory.peak' },
] as const;

/** @throws Error where the computer does not let this process create such a group */
export function limitMemory(name: string, bytes: number): MemoryLimit {
  const version = VERSIONS.find(({ root, max }) => makesGroups(root, max));
  if (version === undefined) throw new Error('no control groups for memory');
  const folder = join(version.root, name);
  mkdirSync(folder);
  const write = (file: string, value: number): void =>
    writeFileSync(join(folder, file), String(value));
  write(version.max, bytes);
  return {
    add: (pid) => write('cgroup.procs', pid),
    peak: () => Number(readFileSync(join(folder, version.peak), 'utf8')),
    remove: () => rmdirSync(folder),
  };
}

/** The reason why the memory of a process cannot be limited here, or nothing. */
export function cannotLimitMemory(): string | undefined {
  return VERSIONS.some(({ root, max }) => makesGroups(root, max))
    ? undefined
    : 'needs Linux, and the right to make control groups for memory';
}

function makesGroups(root: string, max: string): boolean {
  const folder = join(root, `tributary-probe-${process.pid}`);
  try {
    mkdirSync(folder);
  } catch {
    return false;
  }
  try {
    return existsSync(join(folder, max));
  } finally {
    rmdirSync(folder);
  }
}
