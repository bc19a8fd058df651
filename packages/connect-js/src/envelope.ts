// connect 8
export interface Envelope {
  ns: 'connect';
  v: 1;
  channel: string;
  type: string;
  payload: Record<string, unknown>;
}

/** `resume` and `resume_ack` are identified by window, origin and state, not by channel. */
export const NO_CHANNEL = '';

export function envelope(
  channel: string,
  type: string,
  payload: Record<string, unknown> = {},
): Envelope {
  return { ns: 'connect', v: 1, channel, type, payload };
}

/** @returns undefined for anything that is not a message of Connect, which is ignored */
export function readEnvelope(data: unknown): Envelope | undefined {
  if (!isRecord(data) || data['ns'] !== 'connect' || data['v'] !== 1) return undefined;
  const { channel, type, payload = {} } = data;
  if (typeof channel !== 'string' || typeof type !== 'string' || !isRecord(payload))
    return undefined;
  return { ns: 'connect', v: 1, channel, type, payload };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** 128 random bits, base64url. */
export function randomChannel(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}
