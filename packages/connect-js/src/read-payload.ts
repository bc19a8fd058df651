import { isRecord } from '../../connect-protocol/src/envelope.js';
import {
  BARE_ERROR,
  type ConnectError,
  type ConnectEvent,
  type ConnectExit,
  type ConnectSuccess,
} from '../../connect-protocol/src/payloads.js';

// The hosted app is trusted; these checks only keep a message of another version from being
// misread.
type Payload = Record<string, unknown>;

export function readSession(
  payload: Payload,
): { session_id: string; mode: 'link' | 'relink' } | undefined {
  const { session_id, mode } = payload;
  return typeof session_id === 'string'
    ? { session_id, mode: mode === 'relink' ? 'relink' : 'link' }
    : undefined;
}

export function readConnectEvent(payload: Payload): ConnectEvent | undefined {
  return typeof payload['name'] === 'string' && isRecord(payload['meta'])
    ? ({ properties: {}, ...payload } as unknown as ConnectEvent)
    : undefined;
}

export function readConnectError(payload: Payload): ConnectError | undefined {
  if (typeof payload['error_id'] !== 'string') return undefined;
  return { ...BARE_ERROR, ...payload } as ConnectError;
}

export function readConnectSuccess(payload: Payload): ConnectSuccess | undefined {
  const { mode, exchangeable_token, confirmation_token } = payload;
  const isWhole =
    mode === 'relink'
      ? confirmation_token === undefined || typeof confirmation_token === 'string'
      : mode === 'link' && typeof exchangeable_token === 'string';
  return isWhole ? (payload as unknown as ConnectSuccess) : undefined;
}

export function readConnectExit(payload: Payload): ConnectExit | undefined {
  if (typeof payload['reason'] !== 'string') return undefined;
  const error = isRecord(payload['error']) ? readConnectError(payload['error']) : undefined;
  return {
    session_id: null,
    institution: null,
    search_term: null,
    ...payload,
    error: error ?? null,
  } as ConnectExit;
}
