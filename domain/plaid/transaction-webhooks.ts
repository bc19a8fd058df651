import type { TransactionPull } from '../announcements/happening.js';
import type { LogRow } from '../transactions/change-log-row.js';
import { changesOf } from './change-view.js';
import type { ItemWebhook } from './webhooks.js';

export interface Pull extends Pick<TransactionPull, 'before' | 'after' | 'base'> {
  rows: readonly (LogRow & { day: string })[];
  /** If one pull stores the whole history, days from here on count as recent. */
  recentFrom: string;
  /** The client has called /transactions/sync. */
  usesSync: boolean;
  /** plaid-compat 5.2. */
  pendingId: (transactionId: string) => string;
}

/** The webhooks about a completed pull of transactions. Source: plaid-compat 8.1, TRANSACTIONS. */
export function transactionWebhooks({
  before,
  after,
  rows,
  base,
  recentFrom,
  usesSync,
  pendingId,
}: Pull): ItemWebhook[] {
  const changes = changesOf(rows, { origin: 0n, base });
  const days = new Map(rows.map(({ seq, day }) => [seq, day]));
  const born = changes.filter(({ kind }) => kind === 'added');
  const removed = changes
    .filter(({ kind }) => kind === 'removed')
    .map(({ record, row: { transactionId } }) =>
      record === 'pending' ? pendingId(transactionId) : transactionId,
    );
  const became = before !== 'whole' && after === 'whole';
  const webhooks: ItemWebhook[] = [];
  const add = (
    webhook_code: 'INITIAL_UPDATE' | 'HISTORICAL_UPDATE' | 'DEFAULT_UPDATE',
    count: number,
  ): void =>
    void webhooks.push({
      webhook_type: 'TRANSACTIONS',
      webhook_code,
      new_transactions: count,
      error: null,
    });
  if (before === 'nothing') {
    const recent =
      after === 'whole'
        ? born.filter(({ row: { seq } }) => (days.get(seq) ?? '') >= recentFrom).length
        : born.length;
    add('INITIAL_UPDATE', recent);
    if (became) add('HISTORICAL_UPDATE', born.length - recent);
  } else if (became) {
    add('HISTORICAL_UPDATE', born.length);
  } else if (born.length > 0) {
    add('DEFAULT_UPDATE', born.length);
  }
  if (removed.length > 0)
    webhooks.push({
      webhook_type: 'TRANSACTIONS',
      webhook_code: 'TRANSACTIONS_REMOVED',
      removed_transactions: removed,
      error: null,
    });
  if (usesSync && (changes.length > 0 || became)) {
    webhooks.push({
      webhook_type: 'TRANSACTIONS',
      webhook_code: 'SYNC_UPDATES_AVAILABLE',
      initial_update_complete: true,
      historical_update_complete: after === 'whole',
    });
  }
  return webhooks;
}
