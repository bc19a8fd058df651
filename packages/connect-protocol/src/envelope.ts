/** Every message between SDK and hosted app. Source: connect 8. */
export interface Envelope {
  ns: 'connect';
  v: 1;
  channel: string;
  type: string;
  payload: Record<string, unknown>;
}

/** `resume` and `resume_ack` are identified by window, origin and state, not by channel. */
export const NO_CHANNEL = '';

export function makeEnvelope(channel: string, type: string, payload: object): Envelope {
  return { ns: 'connect', v: 1, channel, type, payload: { ...payload } };
}

/** The message as an envelope of this channel; anything else is null and is ignored silently. */
export function readEnvelope(message: unknown, channel: string): Envelope | null {
  if (!isRecord(message)) return null;
  const { ns, v, channel: found, type, payload } = message;
  if (ns !== 'connect' || v !== 1 || found !== channel || typeof type !== 'string') return null;
  return isRecord(payload) ? { ns, v, channel, type, payload } : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
