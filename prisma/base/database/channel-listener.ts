import type pg from 'pg';
import { HandledMark } from './confirmed-notifications.js';
import type { Channel } from './notifications.js';

export interface ChannelListenerOptions {
  pool: pg.Pool;
  /**
   * Handlers by channel; also called with an empty payload after every connect, since notifications
   * may have been missed.
   */
  on: Partial<Record<Channel, (payload: string) => void>>;
  /**
   * The channel whose senders wait until every listener has handled their notification
   * (confirmed-notifications.ts).
   */
  confirms?: Channel;
  /**
   * From now on notifications arrive reliably, and senders on `confirms` wait for this listener.
   */
  onListening?: () => void;
  /** Notifications may be missed until the next `onListening`. */
  onLost?: () => void;
  onError: (error: Error) => void;
  reconnectMs?: number;
}

/** Holds one pool connection that listens for notifications, and replaces it when it breaks. */
export class ChannelListener {
  private client: pg.PoolClient | undefined;
  private retry: NodeJS.Timeout | undefined;
  private mark: HandledMark | undefined;
  private stopped = false;
  /** Serializes the work of the connection. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ChannelListenerOptions) {}

  /** Returns immediately. Keeps retrying while the database is unreachable. */
  start(): void {
    void this.connect();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.retry);
    this.drop();
  }

  private async connect(): Promise<void> {
    try {
      const client = await this.options.pool.connect();
      this.client = client;
      client.on('notification', ({ channel, payload }) =>
        this.heard(client, channelOf(channel), payload ?? ''),
      );
      client.once('error', () => this.lost(client));
      client.once('end', () => this.lost(client));
      this.mark = new HandledMark(client);
      this.queue = Promise.resolve();
      this.enqueue(client, () => this.listen(client));
    } catch (error) {
      this.failed(error);
    }
  }

  private async listen(client: pg.PoolClient): Promise<void> {
    const { on, confirms } = this.options;
    const {
      rows: [row],
    } = await client.query<{ suffix: string }>('SELECT suffix FROM notification_channels');
    if (row === undefined) throw new Error('notification_channels has no row');
    for (const channel of Object.keys(on))
      await client.query(`LISTEN ${client.escapeIdentifier(`${channel}_${row.suffix}`)}`);
    if (confirms !== undefined) await this.mark?.renew();
    if (this.stopped) this.drop();
    else Object.values(on).forEach((heard) => heard(''));
  }

  private heard(client: pg.PoolClient, channel: Channel, payload: string): void {
    this.options.on[channel]?.(payload);
    if (channel !== this.options.confirms) return;
    this.options.onLost?.();
    this.enqueue(client, async () => this.mark?.renew());
  }

  /** Reports `onListening` once the last queued turn has succeeded. */
  private enqueue(client: pg.PoolClient, work: () => Promise<unknown>): void {
    const turn = this.queue.then(work).then(
      () => {
        if (this.client === client && this.queue === turn) this.options.onListening?.();
      },
      (error: unknown) => {
        if (this.client === client) this.failed(error);
      },
    );
    this.queue = turn;
  }

  private failed(error: unknown): void {
    this.options.onError(error instanceof Error ? error : new Error(String(error)));
    this.reconnect();
  }

  private lost(client: pg.PoolClient): void {
    if (this.client === client) this.reconnect();
  }

  private reconnect(): void {
    this.options.onLost?.();
    this.drop();
    if (this.stopped) return;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.connect(), this.options.reconnectMs ?? 1_000);
  }

  /** Closes the connection instead of releasing it to the pool, where it would keep listening. */
  private drop(): void {
    const { client } = this;
    this.client = undefined;
    if (client === undefined) return;
    client.removeAllListeners('notification');
    client.release(true);
  }
}

/** The channel of a name in PostgreSQL: without the suffix, which has no underscore. */
function channelOf(name: string): Channel {
  return name.slice(0, name.lastIndexOf('_')) as Channel;
}
