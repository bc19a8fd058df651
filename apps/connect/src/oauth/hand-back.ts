import {
  makeEnvelope,
  NO_CHANNEL,
  readEnvelope,
} from '../../../../packages/connect-protocol/src/envelope.js';
import { stateIdOf } from './return-address.js';

/** connect 7: time limit of each channel for its acknowledgment. */
const ACKNOWLEDGED_WITHIN_MS = 1_500;

/**
 * The hosted page as the return page: passes its address to the window that opened it. True once
 * that window has accepted it; otherwise this page has to continue by itself.
 */
export function handBack(url: string): Promise<boolean> {
  const opener = window.opener as Window | null;
  if (opener === null) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (taken: boolean): void => {
      clearTimeout(timer);
      window.removeEventListener('message', onMessage);
      resolve(taken);
    };
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>): void => {
      const envelope =
        source === opener && origin === location.origin ? readEnvelope(data, NO_CHANNEL) : null;
      if (envelope?.type === 'resume_ack' && envelope.payload['oauth_state_id'] === stateIdOf(url))
        end(true);
    };
    const timer = setTimeout(() => end(false), ACKNOWLEDGED_WITHIN_MS);
    window.addEventListener('message', onMessage);
    opener.postMessage(makeEnvelope(NO_CHANNEL, 'resume', { url }), location.origin);
  });
}
