import { EventEmitter, once } from 'node:events';
import type pg from 'pg';
import { ChannelListener } from '../../../../prisma/channel-listener.js';
import type { Logger } from '../../../platform/src/logging/logger.js';

/**
 * Hears when the step of a session changes, over one connection of its own. A notification is only a hint to look:
 * who waits looks again by itself from time to time, so a lost connection costs time and no step.
 */
export class SessionNotifications {
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private readonly listener: ChannelListener;

  constructor({ pool, logger }: { pool: pg.Pool; logger: Logger }) {
    this.listener = new ChannelListener({
      pool,
      on: { link_session: (sessionId) => this.changes.emit(eventOf(sessionId)) },
      onError: (err) => logger.warn({ err }, 'database.listening_failed'),
    });
  }

  start(): void {
    this.listener.start();
  }

  stop(): void {
    this.listener.stop();
  }

  /** Resolves at the next change of the session, or when `signal` fires. */
  async changeOf(sessionId: string, signal: AbortSignal): Promise<void> {
    try {
      await once(this.changes, eventOf(sessionId), { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

function eventOf(sessionId: string): string {
  return `changed/${sessionId}`;
}
