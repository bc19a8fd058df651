import type pg from 'pg';
import type { Tx } from './tx.js';

/**
 * The channels a process can listen on. A notification is only a hint to check the rows, which are
 * the truth, and a poll backs up each channel. In PostgreSQL the name of each ends with the suffix
 * in `notification_channels`. Other roles of the database cannot read it, because a role may listen
 * to and notify any channel whose name it knows.
 */
export type Channel =
  | 'link_session'
  | 'outbox'
  | 'client_changed'
  | 'webhook_delivery'
  | 'provider_configuration';

export interface Notification {
  channel: Channel;
  payload: string;
}

const ofTransactions = new WeakMap<Tx, Notification[]>();

/**
 * Notifies listeners once the transaction has committed. The notification is not sent inside the
 * transaction, because PostgreSQL serializes the commits of transactions that notify, and each
 * would wait for the disk alone. docs/decisions/0015.
 */
export function notify(tx: Tx, channel: Channel, payload = ''): void {
  const queued = ofTransactions.get(tx);
  if (queued === undefined) throw new Error('notify needs a transaction of Database.transaction');
  queued.push({ channel, payload });
}

/** For Database.transaction: collects what `tx` queues with `notify`. */
export function collectNotifications(tx: Tx): readonly Notification[] {
  const queued: Notification[] = [];
  ofTransactions.set(tx, queued);
  return queued;
}

/** Sends notifications. Those that arrive while a statement is in flight share the next one. */
export class Notifier {
  private readonly waiting = new Map<string, Notification>();
  private sending: Promise<void> | undefined;

  /** @param pool commits of this pool do not wait for the disk */
  constructor(
    private readonly pool: pg.Pool,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Returns immediately. A lost notification only delays its listener until the next poll. */
  send(notifications: readonly Notification[]): void {
    for (const notification of notifications)
      this.waiting.set(`${notification.channel} ${notification.payload}`, notification);
    if (this.waiting.size > 0) this.sending ??= this.sendAll();
  }

  /** Resolves when nothing is in flight. */
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
          text: `SELECT pg_notify(channel || '_' || suffix, payload)
                   FROM notification_channels, unnest($1::text[], $2::text[]) AS queued (channel, payload)`,
          values: [batch.map(({ channel }) => channel), batch.map(({ payload }) => payload)],
        })
        .catch((error: unknown) =>
          this.onError(error instanceof Error ? error : new Error(String(error))),
        );
    }
    this.sending = undefined;
  }
}
