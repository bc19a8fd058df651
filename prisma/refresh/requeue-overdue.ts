import type { Tx } from '../database/tx.js';
import { loadSql } from '../database/load-sql.js';
import { enqueueCommand } from '../outbox/outbox.js';

const BATCH = 200;

/**
 * Brings back what a lost workflow left behind (docs/architecture.md: workflows make it prompt, the sweeper makes it
 * sure): the refresh is started again, and its first run takes over whatever is under way. Answers how many were started.
 */
export async function requeueOverdue(tx: Tx, now: Date, olderThanMs: number): Promise<number> {
  const links = await tx.$queryRawUnsafe<{ link_id: string }[]>(
    loadSql('find-overdue-links'),
    new Date(now.getTime() - olderThanMs),
    BATCH,
  );
  for (const { link_id: linkId } of links)
    await enqueueCommand(tx, { kind: 'startProductRefresh', linkId });
  return links.length;
}
