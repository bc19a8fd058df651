import { CallFailure } from './call-failure.js';
import type { View } from '../../../../packages/connect-protocol/src/view.js';

export interface Outgoing {
  method: 'GET' | 'POST';
  path: string;
  body?: Record<string, unknown>;
  token: string | null;
  signal?: AbortSignal;
  /** The page may be gone before the response: an exit must still arrive. */
  keepalive?: boolean;
}

export interface SendOptions {
  apiBase: string;
  /** `include` on the hosted page, whose sessions belong to the browser that opened them (connect 2). */
  credentials: 'include' | 'omit';
  fetch: typeof fetch;
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  onConnection: (online: boolean) => void;
  /** Server time minus ours, in milliseconds, whenever it is learned. */
  onClock: (offsetMs: number) => void;
}

export type Send = (outgoing: Outgoing) => Promise<unknown>;

/**
 * A POST returns within 15 s and a poll within 20 s (connect 4 and 5.5); nothing arrives later than
 * this.
 */
const ANSWER_WITHIN_MS = 30_000;
const BACKOFF_MS = [500, 1_000, 2_000, 4_000, 8_000] as const;
const REFUSED_TRIES = 4;

/**
 * Sends a call until it returns. Retries repeat the same body, and so the same request_id: the
 * service performs it once (connect 5.3). A lost network is retried without limit; a service
 * that refuses temporarily, a few times.
 */
export function createSend({
  apiBase,
  credentials,
  fetch,
  pause,
  onConnection,
  onClock,
}: SendOptions): Send {
  return async (outgoing) => {
    let lost = 0;
    let refused = 0;
    for (;;) {
      const response = await attempt(outgoing);
      if (response === null) {
        onConnection(false);
        await pause(backoff(lost++), outgoing.signal);
        continue;
      }
      onConnection(true);
      lost = 0;
      if (!isMomentary(response.status) || ++refused >= REFUSED_TRIES)
        return read(response, outgoing);
      await pause(retryAfterMs(response) ?? backoff(refused), outgoing.signal);
    }
  };

  async function attempt({
    method,
    path,
    body,
    token,
    signal,
    keepalive,
  }: Outgoing): Promise<Response | null> {
    try {
      return await fetch(`${apiBase}${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        credentials,
        cache: 'no-store',
        redirect: 'error',
        keepalive: keepalive ?? false,
        signal: anyOf(signal, AbortSignal.timeout(ANSWER_WITHIN_MS)),
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TypeError || error instanceof DOMException) return null;
      throw error;
    }
  }

  async function read(response: Response, { body }: Outgoing): Promise<unknown> {
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) onClock(date - Date.now());
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer;
    const { error_code: code, view } = (answer ?? {}) as { error_code?: unknown; view?: View };
    throw new CallFailure(
      typeof code === 'string' ? code : 'connect_error.unavailable',
      response.status,
      requestIdOf(response) ??
        (typeof body?.['request_id'] === 'string' ? body['request_id'] : null),
      view ?? null,
    );
  }
}

/** AbortSignal.any is too new for the oldest supported browsers. */
function anyOf(first: AbortSignal | undefined, second: AbortSignal): AbortSignal {
  if (first === undefined) return second;
  const either = new AbortController();
  for (const signal of [first, second]) {
    if (signal.aborted) either.abort(signal.reason);
    signal.addEventListener('abort', () => either.abort(signal.reason), {
      once: true,
      signal: either.signal,
    });
  }
  return either.signal;
}

const isMomentary = (status: number): boolean => status === 429 || status >= 500;

const backoff = (tries: number): number =>
  BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)] ?? 8_000;

function retryAfterMs(response: Response): number | null {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return Number.isNaN(seconds) ? null : Math.min(seconds, 30) * 1000;
}

/** The first word of the header is a setting of the service (native-api 1). */
function requestIdOf(response: Response): string | null {
  for (const [name, value] of response.headers) if (name.endsWith('-request-id')) return value;
  return null;
}
