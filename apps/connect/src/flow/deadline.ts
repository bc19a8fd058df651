import type { View } from '../../../../packages/connect-protocol/src/view.js';

/** A timestamp of the API is UTC without an offset (native-api 1). */
export function readTimestamp(timestamp: string): number {
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(timestamp) ? timestamp : `${timestamp}Z`);
}

export interface Deadline {
  at: number;
  /** A step expires at its time; the whole attempt is extended by any action (connect 12). */
  of: 'step' | 'session';
}

/** The earlier end: that of the step or of the whole attempt. */
export function nextDeadline({ step, expires_at: expiresAt }: View): Deadline {
  const session: Deadline = { at: readTimestamp(expiresAt), of: 'session' };
  if (step.expires_at === null) return session;
  const at = readTimestamp(step.expires_at);
  return at < session.at ? { at, of: 'step' } : session;
}
