import { EventEmitter, once } from 'node:events';

/**
 * Hears when the step of a session changes. A notification is only a hint to look: who waits looks again by itself from
 * time to time, so a lost connection costs time and no step.
 */
export class SessionNotifications {
  private readonly changes = new EventEmitter().setMaxListeners(0);

  /** For the listener: the step of this session changed. */
  changed(sessionId: string): void {
    this.changes.emit(eventOf(sessionId));
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
