import type { Tx } from '../../base/database/tx.js';
import { loadSql } from '../../base/database/load-sql.js';
import { enqueueCommand } from '../../base/outbox/outbox.js';

const BATCH = 200;

/**
 * Recovers the unfinished work of a lost workflow (docs/architecture.md: workflows make it prompt,
 * the sweeper makes it sure): restarts the refresh, whose first run takes over everything
 * unfinished. Returns the number restarted.
 */
export async function requeueOverdue(tx: Tx, now: Date, olderThanMs: number): Promise<number> {
  const links = await tx.$queryRawUnsafe<{ link_id: string }[]>(
    loadSql('find-overdue-links'),
    new Date(now.getTime() - olderThanMs),
    BATCH,
  );
  for (const { link_id: linkId } of links)
    await enqueueCommand(tx, { kind: 'startProductRefresh', linkId, overdue: true });
  return links.length;
}
