import type pg from 'pg';
import type { Tx } from './tx.js';

/** Channels a process listens on. A notification is only a hint to look: the rows are the truth, and a poll stands behind each. */
export type Channel = 'link_session' | 'outbox' | 'client_changed' | 'webhook_delivery';

export interface Notification {
  channel: Channel;
  payload: string;
}

const ofTransactions = new WeakMap<Tx, Notification[]>();

/**
 * Notifies the listeners once the transaction has committed. Not inside it: PostgreSQL lets only one transaction that
 * notifies commit at a time, so each would wait for the disk alone. docs/decisions/0015.
 */
export function notify(tx: Tx, channel: Channel, payload = ''): void {
  const told = ofTransactions.get(tx);
  if (told === undefined) throw new Error('notify needs a transaction of Database.transaction');
  told.push({ channel, payload });
}

/** For Database.transaction: collects what `tx` tells. */
export function collectNotifications(tx: Tx): readonly Notification[] {
  const told: Notification[] = [];
  ofTransactions.set(tx, told);
  return told;
}

/** Sends notifications, all that came while others were under way in one statement. */
export class Notifier {
  private readonly waiting = new Map<string, Notification>();
  private sending: Promise<void> | undefined;

  /** @param pool its commits do not wait for the disk */
  constructor(
    private readonly pool: pg.Pool,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Returns at once. Whoever misses one looks soon anyhow. */
  send(notifications: readonly Notification[]): void {
    for (const notification of notifications)
      this.waiting.set(`${notification.channel} ${notification.payload}`, notification);
    if (this.waiting.size > 0) this.sending ??= this.sendAll();
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.sending;
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.size > 0) {
      const batch = [...this.waiting.values()];
      this.waiting.clear();
      await this.pool
        .query({
          name: 'notify',
          text: 'SELECT pg_notify(channel, payload) FROM unnest($1::text[], $2::text[]) AS told (channel, payload)',
          values: [batch.map(({ channel }) => channel), batch.map(({ payload }) => payload)],
        })
        .catch((error: unknown) =>
          this.onError(error instanceof Error ? error : new Error(String(error))),
        );
    }
    this.sending = undefined;
  }
}
