import type { Depth } from '../../../domain/announcements/happening.js';
import { utcDay } from '../../../domain/api/timestamps.js';
import type { LogRow } from '../../../domain/transactions/change-log-row.js';
import type { Context } from '../../base/context.js';
import { loadSql } from '../../base/database/load-sql.js';
import type { Tx } from '../../base/database/tx.js';
import { announce, isAnnounced } from '../../announcements/events/announce.js';
import type { Link, LinkProduct } from '../../generated/client.js';

interface ChangeRow {
  seq: bigint;
  transaction_id: string;
  account_id: string;
  account_type: string;
  first_seq: bigint;
  posted_seq: bigint | null;
  born_pending: boolean;
  removed: boolean;
  day: string;
}

/**
 * Announces the entries of the log that have not been announced yet, including those of earlier
 * pulls that did not complete. `row`: the product before it completed. `now`: by the clock of the
 * link.
 */
export async function announceTransactions(
  ctx: Context,
  tx: Tx,
  link: Link,
  row: LinkProduct,
  { hasHistory, now }: { hasHistory: boolean; now: Date },
): Promise<void> {
  if (!isAnnounced(link, 'transactions_pulled')) return;
  const changes = await tx.$queryRawUnsafe<ChangeRow[]>(
    loadSql('unannounced-changes'),
    link.pk,
    link.announcedSeq,
  );
  await announce(ctx, tx, link, {
    kind: 'transactions_pulled',
    before: depthBefore(row),
    after: row.extendHistory && !hasHistory ? 'recent' : 'whole',
    rows: changes.map(toLogRow),
    base: link.announcedSeq,
    today: utcDay(now),
    readsChanges: link.syncStartedAt !== null,
  });
  await tx.$executeRaw`UPDATE links SET told_seq = head_seq WHERE pk = ${link.pk} AND told_seq <> head_seq`;
}

function depthBefore({ refreshedAt, extendHistory, hasHistory }: LinkProduct): Depth {
  if (refreshedAt === null) return 'nothing';
  return extendHistory && !hasHistory ? 'recent' : 'whole';
}

function toLogRow(row: ChangeRow): LogRow & { day: string; accountType: string } {
  return {
    transactionId: row.transaction_id,
    accountId: row.account_id,
    accountType: row.account_type,
    seq: row.seq,
    firstSeq: row.first_seq,
    postedSeq: row.posted_seq,
    createdPending: row.born_pending,
    removed: row.removed,
    firstSeqAfterOrigin: row.first_seq,
    day: row.day,
  };
}
