import { readdirSync, readFileSync } from 'node:fs';
import { query } from '../../support/cluster/cluster-postgres.js';
import { TICKS_PER_SECOND } from './measured-process.js';

interface NamedProcess {
  name: string;
  pid: number;
}

export interface MeasuredParts {
  processes: readonly NamedProcess[];
  /** Servers with a process for each connection, and the address of the database of each. */
  servers: Readonly<Record<string, { pid: number }>>;
  databases: Readonly<Record<string, string>>;
}

/** By the name of the part. */
export interface Usage {
  elapsedMs: number;
  cpuMs: Record<string, number>;
  walBytes: Record<string, number>;
  diskBytes: Record<string, number>;
}

/** The usage of each part since it was started. */
export async function readUsage({ processes, servers, databases }: MeasuredParts): Promise<Usage> {
  const usage: Usage = { elapsedMs: performance.now(), cpuMs: {}, walBytes: {}, diskBytes: {} };
  for (const [name, url] of Object.entries(databases)) {
    const [row] = await query(
      url,
      "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS wal, pg_database_size(current_database()) AS disk",
    );
    usage.walBytes[name] = Number(row?.['wal']);
    usage.diskBytes[name] = Number(row?.['disk']);
  }
  for (const { name, pid } of processes) usage.cpuMs[name] = timesOf(pid).own;
  for (const [name, { pid }] of Object.entries(servers)) usage.cpuMs[name] = timeOfServer(pid);
  return usage;
}

export function usageBetween(from: Usage, to: Usage): Usage {
  const difference = (key: 'cpuMs' | 'walBytes' | 'diskBytes') =>
    Object.fromEntries(
      Object.entries(to[key]).map(([name, value]) => [name, value - (from[key][name] ?? 0)]),
    );
  return {
    elapsedMs: to.elapsedMs - from.elapsedMs,
    cpuMs: difference('cpuMs'),
    walBytes: difference('walBytes'),
    diskBytes: difference('diskBytes'),
  };
}

/** The server itself, its children that have exited, and those that are running. */
function timeOfServer(pid: number): number {
  const { own, ended } = timesOf(pid);
  const living = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => timesOf(Number(name)))
    .filter(({ parent }) => parent === pid);
  return living.reduce((sum, child) => sum + child.own, own + ended);
}

/** Milliseconds of processor time, user and system; zeros for a process that has exited. */
function timesOf(pid: number): { parent: number; own: number; ended: number } {
  try {
    // proc(5), after the name in parentheses: state, ppid, …, utime, stime, cutime, cstime.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ms = (first: number) =>
      ((Number(fields[first]) + Number(fields[first + 1])) * 1_000) / TICKS_PER_SECOND;
    return { parent: Number(fields[1]), own: ms(11), ended: ms(13) };
  } catch {
    return { parent: 0, own: 0, ended: 0 };
  }
}
