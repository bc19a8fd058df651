import { EventEmitter, once } from 'node:events';

/**
 * Signals changes of a session's step. A notification is only a hint: waiting calls also
 * poll from time to time, so a lost connection costs time but no step.
 */
export class SessionNotifications {
  private readonly changes = new EventEmitter().setMaxListeners(0);

  /** Called by the listener when the step of a session changes. */
  changed(sessionId: string): void {
    this.changes.emit(eventOf(sessionId));
  }

  /** Resolves at the next change of the session, or when `signal` aborts. */
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
