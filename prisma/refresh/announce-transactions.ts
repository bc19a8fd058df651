import type { LogRow } from '../../domain/transactions/change-log-row.js';
import { servesTransactions } from '../../domain/plaid/account-type.js';
import { pendingIdOf } from '../../domain/plaid/pending-transaction-id.js';
import { transactionWebhooks, type Depth } from '../../domain/plaid/transaction-webhooks.js';
import { addDays, utcDay } from '../../domain/api/timestamps.js';
import type { Context } from '../context.js';
import { sha256 } from '../database/bytes.js';
import type { Tx } from '../database/tx.js';
import { loadSql } from '../database/load-sql.js';
import { announceItem } from '../events/record-webhook-event.js';
import type { Link, LinkProduct } from '../generated/client.js';

/** plaid-compat 8.1, `new_transactions`. */
const RECENT_DAYS = 30;

interface UnannouncedRow {
  seq: bigint;
  transaction_id: string;
  account_id: string;
  first_seq: bigint;
  posted_seq: bigint | null;
  born_pending: boolean;
  removed: boolean;
  day: string;
}

/**
 * Announces to the client of the compatibility layer what its log gained since the last
 * announcement, including rows stored by fetches that did not complete. `row` is the product before
 * it completed; `now` is by the clock of the link.
 */
export async function announceTransactions(
  ctx: Context,
  tx: Tx,
  link: Link,
  row: LinkProduct,
  { hasHistory, now }: { hasHistory: boolean; now: Date },
): Promise<void> {
  if (link.webhookFormat !== 'plaid') return;
  const accounts = await tx.account.findMany({
    where: { linkPk: link.pk },
    select: { accountId: true, accountType: true },
  });
  const served = accounts
    .filter(({ accountType }) => servesTransactions(accountType))
    .map(({ accountId }) => accountId);
  const unannounced = await tx.$queryRawUnsafe<UnannouncedRow[]>(
    loadSql('untold-changes'),
    link.pk,
    link.toldSeq,
    served,
  );
  const webhooks = transactionWebhooks({
    before: depthOf({ ...row, isFetched: row.refreshedAt !== null }),
    after: row.extendHistory && !hasHistory ? 'recent' : 'whole',
    rows: unannounced.map(toLogRow),
    base: link.toldSeq,
    recentFrom: addDays(utcDay(now), -RECENT_DAYS),
    usesSync: link.syncStartedAt !== null,
    pendingId: (transactionId) => pendingIdOf(transactionId, sha256),
  });
  for (const webhook of webhooks) await announceItem(ctx, tx, link, webhook);
  await tx.$executeRaw`UPDATE links SET told_seq = head_seq WHERE pk = ${link.pk} AND told_seq <> head_seq`;
}

function depthOf({
  isFetched,
  extendHistory,
  hasHistory,
}: Pick<LinkProduct, 'extendHistory' | 'hasHistory'> & { isFetched: boolean }): Depth {
  if (!isFetched) return 'nothing';
  return extendHistory && !hasHistory ? 'recent' : 'whole';
}

function toLogRow(row: UnannouncedRow): LogRow & { day: string } {
  return {
    transactionId: row.transaction_id,
    accountId: row.account_id,
    seq: row.seq,
    firstSeq: row.first_seq,
    postedSeq: row.posted_seq,
    bornPending: row.born_pending,
    removed: row.removed,
    firstSeqAfterOrigin: row.first_seq,
    day: row.day,
  };
}
