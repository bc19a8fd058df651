import { until } from '../until.js';
import { processIdentity } from './process-identity.js';

/** Requests the exit of a process that is not our child, and kills it when it does not exit. */
export async function endProcess(
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
