import type { Client } from '@temporalio/client';
import type { MasterKeyUse } from '../../../../../prisma/base/master-keys/master-key.repository.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';

/** The permission for a key to leave MASTER_KEYS. */
export interface Departure {
  mayLeave: boolean;
  /** The reason, or the step to take first. */
  reason: string;
}

/** Workflow histories that may hold payloads of a key. */
export interface Histories {
  /** Workflows that began while the key was current, running ones and closed ones. */
  count: number;
  /** Retention of closed workflows in the namespace. Milliseconds. */
  retentionMs: number;
}

/** Processes report their current key every minute; a key may have been used until the next report. */
const REPORTED_WITHIN_MS = 2 * 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * A key may leave when it seals nothing: no process uses it for new values, no row needs it, and no
 * workflow history that Temporal still keeps can have payloads encrypted with it.
 */
export async function departureOf(
  { place, rows, lastCurrentAt }: MasterKeyUse,
  { now, histories }: { now: Date; histories: (until: Date) => Promise<Histories> },
): Promise<Departure> {
  const no = (reason: string): Departure => ({ mayLeave: false, reason });
  if (place === 'current') return no('it seals new values');
  const left = Object.values(rows).reduce((sum, count) => sum + count, 0);
  if (left > 0) return no(`it still seals ${left} rows: run "keys master rewrap"`);
  if (place === 'missing') return { mayLeave: true, reason: 'it has left' };
  if (lastCurrentAt === null) return { mayLeave: true, reason: 'it has sealed nothing' };
  const until = new Date(lastCurrentAt.getTime() + REPORTED_WITHIN_MS);
  if (until > now)
    return no(
      'a process used it for new values in the last two minutes: restart every process with the current key first',
    );
  try {
    const { count, retentionMs } = await histories(until);
    if (count === 0) return { mayLeave: true, reason: 'nothing needs it' };
    const free = new Date(until.getTime() + retentionMs).toISOString();
    return no(
      `${count} workflow histories began before ${until.toISOString()}; Temporal keeps them for ${retentionMs / DAY_MS} days after their end, so at least until ${free}`,
    );
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return no(`the workflow histories could not be counted: ${error.message}`);
  }
}

/** Counts the workflows of a namespace that began until a time, and reads its retention. */
export async function countHistories(client: Client, until: Date): Promise<Histories> {
  const { namespace } = client.options;
  const [{ count }, described] = await Promise.all([
    client.workflow.count(`StartTime <= "${until.toISOString()}"`),
    client.workflowService.describeNamespace({ namespace }),
  ]);
  const seconds = Number(described.config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  return { count, retentionMs: seconds * 1000 };
}
