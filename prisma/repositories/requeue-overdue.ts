import type { Tx } from '../database.js';
import { loadSql } from '../sql/load-sql.js';
import { enqueueCommand } from './outbox.js';

/** How long one run may retry a failing fetch (FETCH_RETRY_FOR, FETCH_RETRY_FOR_SANDBOX), in ms. */
export interface FetchRetryTimes {
  liveMs: number;
  sandboxMs: number;
}

const BATCH = 200;

/**
 * Brings back what a lost workflow left behind (docs/architecture.md: workflows make it prompt, the sweeper makes it
 * sure): a product under way for longer than any run lasts is asked for again, and a link whose request waits too long is
 * started again. Starting a refresh that runs is harmless. Answers how many links were started.
 */
export async function requeueOverdue(tx: Tx, now: Date, olderThanMs: number, retry: FetchRetryTimes): Promise<number> {
  const deadline = (extraMs: number) => new Date(now.getTime() - olderThanMs - extraMs);
  const orphans = await tx.$queryRawUnsafe<{ link_pk: bigint; product: string; cause: string }[]>(
    loadSql('find-orphaned-products'), deadline(retry.sandboxMs), deadline(retry.liveMs), BATCH,
  );
  // Created in the past: these have waited long enough and are started below.
  await tx.refreshRequest.createMany({
    data: orphans.map(({ link_pk: linkPk, product, cause }) => ({ linkPk, product, cause, createdAt: deadline(1) })),
  });
  const links = await tx.$queryRawUnsafe<{ link_id: string }[]>(loadSql('find-overdue-links'), deadline(0), BATCH);
  for (const { link_id: linkId } of links) await enqueueCommand(tx, { kind: 'startProductRefresh', linkId });
  return links.length;
}
