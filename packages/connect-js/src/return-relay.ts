import { envelope, NO_CHANNEL, readEnvelope } from './envelope.js';
import { RETURN_CHANNEL } from './hand-over.js';
import { readStateId } from './return-address.js';

export interface ReturnRelay {
  /** The frame has the state: the return page may close. */
  acknowledge(stateId: string): void;
  close(): void;
}

/**
 * On the page that started: receives the URL of return pages that lost their opener, and passes it
 * to the frame.
 */
export function relayReturns(pass: (url: string) => void): ReturnRelay {
  if (typeof BroadcastChannel === 'undefined')
    return { acknowledge: () => undefined, close: () => undefined };
  const channel = new BroadcastChannel(RETURN_CHANNEL);
  channel.onmessage = ({ data }) => {
    const message = readEnvelope(data);
    const url = message?.payload['url'];
    if (
      message?.type === 'resume' &&
      message.channel === NO_CHANNEL &&
      typeof url === 'string' &&
      readStateId(url) !== undefined
    )
      pass(url);
  };
  return {
    acknowledge: (stateId) =>
      channel.postMessage(envelope(NO_CHANNEL, 'resume_ack', { oauth_state_id: stateId })),
    close: () => channel.close(),
  };
}
