import { makeEnvelope, NO_CHANNEL, readEnvelope } from '../../connect-protocol/src/envelope.js';

// connect 7: each channel has 1.5 s for an acknowledgment
export const ACKNOWLEDGED_WITHIN_MS = 1_500;
export const RETURN_CHANNEL = 'connect-oauth';

export interface HandOver {
  url: string;
  stateId: string;
  connectOrigin: string;
  signal: AbortSignal;
}

/**
 * Passes the URL of a return page to the window that started, by the channels of connect 7, in
 * order.
 * @returns whether a window accepted it
 */
export async function handOver(request: HandOver): Promise<boolean> {
  for (const way of [toOpener, toOwnWindows]) {
    if (!request.signal.aborted && (await way(request))) return true;
  }
  return false;
}

/** The hosted frame opened this popup, and is still its opener. */
function toOpener({ url, stateId, connectOrigin, signal }: HandOver): Promise<boolean> {
  const opener = window.opener as Window | null | undefined;
  if (opener === null || opener === undefined || opener === window) return Promise.resolve(false);
  return acknowledged(signal, (accept) => {
    const hear = (event: MessageEvent): void => {
      if (
        event.source === opener &&
        event.origin === connectOrigin &&
        isAcknowledgment(event.data, stateId)
      )
        accept();
    };
    window.addEventListener('message', hear);
    opener.postMessage(makeEnvelope(NO_CHANNEL, 'resume', { url }), connectOrigin);
    return () => window.removeEventListener('message', hear);
  });
}

/** The page that started is another one of this origin; its SDK passes the URL to its frame. */
function toOwnWindows({ url, stateId, signal }: HandOver): Promise<boolean> {
  if (typeof BroadcastChannel === 'undefined') return Promise.resolve(false);
  return acknowledged(signal, (accept) => {
    const channel = new BroadcastChannel(RETURN_CHANNEL);
    channel.onmessage = ({ data }) => {
      if (isAcknowledgment(data, stateId)) accept();
    };
    channel.postMessage(makeEnvelope(NO_CHANNEL, 'resume', { url }));
    return () => channel.close();
  });
}

function acknowledged(
  signal: AbortSignal,
  ask: (accept: () => void) => () => void,
): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const finish = (taken: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', give);
      stop();
      resolve(taken);
    };
    const give = (): void => finish(false);
    // Before the timer, so that an unavailable channel leaves nothing behind.
    const stop = ask(() => finish(true));
    const timer = setTimeout(give, ACKNOWLEDGED_WITHIN_MS);
    signal.addEventListener('abort', give);
  }).catch(() => false);
}

function isAcknowledgment(data: unknown, stateId: string): boolean {
  const message = readEnvelope(data, NO_CHANNEL);
  return message?.type === 'resume_ack' && message.payload['oauth_state_id'] === stateId;
}
