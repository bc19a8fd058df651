import type pg from 'pg';
import type { Channel } from './notifications.js';

export interface ChannelListenerOptions {
  pool: pg.Pool;
  /** What to do on a notification, by channel; also called after every connect, since none may have been heard before. */
  on: Partial<Record<Channel, (payload: string) => void>>;
  onError: (error: Error) => void;
  reconnectMs?: number;
}

/** Keeps one connection of the pool that hears notifications, and makes a new one when it breaks. */
export class ChannelListener {
  private client: pg.PoolClient | undefined;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

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
      client.on('notification', ({ channel, payload }) => this.options.on[channel as Channel]?.(payload ?? ''));
      client.once('error', () => this.lost(client));
      client.once('end', () => this.lost(client));
      for (const channel of Object.keys(this.options.on)) await client.query(`LISTEN ${channel}`);
      if (this.stopped) this.drop();
      else Object.values(this.options.on).forEach((heard) => heard(''));
    } catch (error) {
      this.options.onError(error instanceof Error ? error : new Error(String(error)));
      this.reconnect();
    }
  }

  private lost(client: pg.PoolClient): void {
    if (this.client === client) this.reconnect();
  }

  private reconnect(): void {
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
