import type { Envelope } from '../../../../packages/connect-protocol/src/envelope.js';
import type { HostListener } from './host.js';

/**
 * Passes a message of the SDK to the listener; an unknown type is ignored silently. Source: connect
 * 8.
 */
export function dispatchIncoming({ type, payload }: Envelope, listener: HostListener): void {
  switch (type) {
    case 'theme':
      return listener.onTheme(payload['theme'] ?? null, payload['appearance']);
    case 'request_exit':
      return listener.onRequestExit(
        payload['force'] === true,
        payload['reason'] === 'user_closed' ? 'user_closed' : 'programmatic',
      );
    case 'back':
      return listener.onBack();
    case 'oauth_result':
    case 'resume':
      if (payload['cancelled'] === true) return listener.onOAuthResult({ cancelled: true });
      if (typeof payload['url'] === 'string') listener.onOAuthResult({ url: payload['url'] });
  }
}
