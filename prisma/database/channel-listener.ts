import type pg from 'pg';
import { HandledMark } from './confirmed-notifications.js';
import type { Channel } from './notifications.js';

export interface ChannelListenerOptions {
  pool: pg.Pool;
  /** What to do on a notification, by channel; also called after every connect, since none may have been heard before. */
  on: Partial<Record<Channel, (payload: string) => void>>;
  /** The channel whose senders wait until every listener has handled their notification (confirmed-notifications.ts). */
  confirms?: Channel;
  /** From now on no notification is missed, and no sender of `confirms` goes on before it is handled. */
  onListening?: () => void;
  /** That holds no longer, until the next `onListening`. */
  onLost?: () => void;
  onError: (error: Error) => void;
  reconnectMs?: number;
}

/** Keeps one connection of the pool that hears notifications, and makes a new one when it breaks. */
export class ChannelListener {
  private client: pg.PoolClient | undefined;
  private retry: NodeJS.Timeout | undefined;
  private mark: HandledMark | undefined;
  private stopped = false;
  /** What the connection does, one thing after the other. */
  private turns: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ChannelListenerOptions) {}

  /** Returns at once; while the database is away it is tried again and again. */
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
        this.heard(client, channel as Channel, payload ?? ''),
      );
      client.once('error', () => this.lost(client));
      client.once('end', () => this.lost(client));
      this.mark = new HandledMark(client);
      this.turns = Promise.resolve();
      this.takeTurn(client, () => this.listen(client));
    } catch (error) {
      this.failed(error);
    }
  }

  private async listen(client: pg.PoolClient): Promise<void> {
    const { on, confirms } = this.options;
    for (const channel of Object.keys(on)) await client.query(`LISTEN ${channel}`);
    if (confirms !== undefined) await this.mark?.renew();
    if (this.stopped) this.drop();
    else Object.values(on).forEach((heard) => heard(''));
  }

  private heard(client: pg.PoolClient, channel: Channel, payload: string): void {
    this.options.on[channel]?.(payload);
    if (channel !== this.options.confirms) return;
    this.options.onLost?.();
    this.takeTurn(client, async () => this.mark?.renew());
  }

  /** All is well again when the last turn has ended. */
  private takeTurn(client: pg.PoolClient, work: () => Promise<unknown>): void {
    const turn = this.turns.then(work).then(
      () => {
        if (this.client === client && this.turns === turn) this.options.onListening?.();
      },
      (error: unknown) => {
        if (this.client === client) this.failed(error);
      },
    );
    this.turns = turn;
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

  /** The connection is closed rather than given back: it must not go on listening for nobody. */
  private drop(): void {
    const { client } = this;
    this.client = undefined;
    if (client === undefined) return;
    client.removeAllListeners('notification');
    client.release(true);
  }
}
