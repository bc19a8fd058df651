import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import type { Logger } from '../../../platform/src/logging/logger.js';

const RECONNECT_MS = 1_000;

/**
 * Hears when the step of a session changes, over one connection of its own. A notification is only a hint to look:
 * who waits looks again by itself from time to time, so a lost connection costs time and no step.
 */
export class SessionNotifications {
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: { url: string; logger: Logger }) {}

  start(): void {
    this.listen().catch(() => this.reconnectLater());
  }

  /** Resolves at the next change of the session, or when `signal` fires. */
  async changeOf(sessionId: string, signal: AbortSignal): Promise<void> {
    try {
      await once(this.changes, eventOf(sessionId), { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private async listen(): Promise<void> {
    const client = new pg.Client({ connectionString: this.options.url, application_name: 'tributary-api-listen', keepAlive: true, connectionTimeoutMillis: 5_000 });
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ payload }) => this.changes.emit(eventOf(payload ?? '')));
    this.client = client;
    await client.connect();
    await client.query('LISTEN link_session');
  }

  private lost(client: pg.Client): void {
    if (this.client !== client || this.closed) return;
    this.client = null;
    this.options.logger.warn({}, 'session_notifications.lost');
    client.end().catch(() => undefined);
    this.reconnectLater();
  }

  private reconnectLater(): void {
    if (this.closed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.start(), RECONNECT_MS);
    this.timer.unref();
  }
}

function eventOf(sessionId: string): string {
  return `changed/${sessionId}`;
}
