import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A group of processes that Linux ends when together they take more memory than they may, as it does containers. */
export interface MemoryLimit {
  /** Puts a process into the group; what it takes from now on counts. */
  add(pid: number): void;
  /** The most memory the group had so far, in bytes. */
  peak(): number;
  /** Once its processes have ended. */
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

/** @throws Error where the computer does not let this process make such a group */
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

/** Why the memory of a process cannot be limited here, or nothing. */
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
