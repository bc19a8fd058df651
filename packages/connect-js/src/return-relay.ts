import { makeEnvelope, NO_CHANNEL, readEnvelope } from '../../connect-protocol/src/envelope.js';
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
    const message = readEnvelope(data, NO_CHANNEL);
    const url = message?.payload['url'];
    if (message?.type === 'resume' && typeof url === 'string' && readStateId(url) !== undefined)
      pass(url);
  };
  return {
    acknowledge: (stateId) =>
      channel.postMessage(makeEnvelope(NO_CHANNEL, 'resume_ack', { oauth_state_id: stateId })),
    close: () => channel.close(),
  };
}
