import { readFileSync, rmSync } from 'node:fs';
import { processIdentity } from '../supervision/process-identity.js';
import { writeAtomically } from './atomic-file.js';
import { until } from '../until.js';

export type PartName =
  | 'api'
  | 'worker'
  | 'webhooks'
  | 'sandbox_bank'
  | 'console'
  | 'temporal'
  | 'postgres';

interface RecordedProcess {
  part: PartName;
  pid: number;
  started: string | undefined;
}

const END_WITHIN_MS = 8_000;

/**
 * The processes that run for a data folder, so that the next start can end those left behind by a
 * crash of the supervisor.
 */
export class ProcessRecord {
  private readonly processes = new Map<PartName, RecordedProcess>();

  constructor(private readonly path: string) {}

  get pids(): Partial<Record<PartName, number>> {
    return Object.fromEntries([...this.processes].map(([part, { pid }]) => [part, pid]));
  }

  set(part: PartName, pid: number): void {
    this.processes.set(part, { part, pid, started: processIdentity(pid) });
    writeAtomically(this.path, JSON.stringify([...this.processes.values()]), 0o600);
  }

  clear(): void {
    this.processes.clear();
    rmSync(this.path, { force: true });
  }

  /**
   * Ends the remaining processes of an earlier supervisor: first the users of the servers, then the
   * servers. @returns their number
   */
  async endLeftovers(): Promise<number> {
    const alive = readRecorded(this.path).filter(
      ({ pid, started }) => started !== undefined && processIdentity(pid) === started,
    );
    const users = alive.filter(({ part }) => part !== 'postgres' && part !== 'temporal');
    const servers = alive.filter((recorded) => !users.includes(recorded));
    for (const group of [users, servers]) {
      await Promise.all(
        group.map(({ part, pid, started = '' }) =>
          endProcess(pid, started, part === 'postgres' ? 'SIGINT' : 'SIGTERM', END_WITHIN_MS),
        ),
      );
    }
    return alive.length;
  }
}

function readRecorded(path: string): RecordedProcess[] {
  try {
    const recorded: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(recorded) ? (recorded as RecordedProcess[]) : [];
  } catch {
    return [];
  }
}

/** Requests the exit of a process that is not our child, and kills it when it does not exit. */
async function endProcess(
  pid: number,
  identity: string,
  signal: NodeJS.Signals,
  within: number,
): Promise<void> {
  const isGone = async () => processIdentity(pid) !== identity;
  if (await isGone()) return;
  trySignal(pid, signal);
  if (await until(isGone, { within })) return;
  trySignal(pid, 'SIGKILL');
  await until(isGone, { within: 2_000 });
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It exited in the meantime.
  }
}
