import {
  makeEnvelope,
  NO_CHANNEL,
  readEnvelope,
} from '../../../../packages/connect-protocol/src/envelope.js';
import type { Device } from '../../../../packages/connect-protocol/src/init.js';

/** The window in which a user signs in at the bank. */
export interface BankWindow {
  goTo(address: string): void;
  close(): void;
}

const SIZE = { width: 480, height: 720 };

/**
 * Opens the bank's window, blank: a browser allows it only while the click is handled, and the
 * address is known only after a call (connect 12, Popups). On phones a new tab. Null = blocked.
 */
export function openBankWindow(device: Device, notice: string): BankWindow | null {
  const opened = window.open('', '_blank', device === 'mobile' ? '' : centred());
  if (opened === null) return null;
  opened.document.title = notice;
  opened.document.body.textContent = notice;
  bankWindows.add(opened);
  return {
    goTo: (address) => opened.location.replace(address),
    close: () => {
      bankWindows.delete(opened);
      opened.close();
    },
  };
}

const bankWindows = new Set<MessageEventSource>();

/**
 * Receives the return address from the windows opened above, and only from the origin of
 * `redirect_uri` (connect 7).
 * `accept` returns whether the address was meant for this window; then it is acknowledged to the
 * window that sent it.
 */
export function listenForReturn(
  redirectOrigin: () => string | null,
  accept: (url: string) => Promise<string | null>,
): void {
  window.addEventListener('message', ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source === null || !bankWindows.has(source) || origin !== redirectOrigin()) return;
    const envelope = readEnvelope(data, NO_CHANNEL);
    const url = envelope?.type === 'resume' ? envelope.payload['url'] : undefined;
    if (typeof url !== 'string') return;
    void accept(url).then((stateId) => {
      if (stateId !== null)
        source.postMessage(makeEnvelope(NO_CHANNEL, 'resume_ack', { oauth_state_id: stateId }), {
          targetOrigin: origin,
        });
    });
  });
}

function centred(): string {
  const left = Math.round(window.screenX + (window.outerWidth - SIZE.width) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - SIZE.height) / 2);
  return `popup,width=${SIZE.width},height=${SIZE.height},left=${Math.max(0, left)},top=${Math.max(0, top)}`;
}
