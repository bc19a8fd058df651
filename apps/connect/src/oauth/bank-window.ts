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

/** The content of the window until the bank's page appears. */
export interface BankNotice {
  app: string;
  bank: string;
  text: string;
  isToLeft: boolean;
}

const SIZE = { width: 480, height: 720 };

/**
 * Opens the bank's window, blank: a browser allows it only while the click is handled, and the
 * address is known only after a call (connect 12, Popups). On phones a new tab. Null = blocked.
 */
export function openBankWindow(device: Device, notice: BankNotice): BankWindow | null {
  const opened = window.open('', '_blank', device === 'mobile' ? '' : centred());
  if (opened === null) return null;
  showNotice(opened.document, notice);
  bankWindows.add(opened);
  return {
    goTo: (address) => opened.location.replace(address),
    close: () => {
      bankWindows.delete(opened);
      opened.close();
    },
  };
}

/** The policy of the page allows no style element, so each element is styled by itself. */
function showNotice(page: Document, { app, bank, text, isToLeft }: BankNotice): void {
  page.title = text;
  page.documentElement.lang = document.documentElement.lang;
  page.documentElement.dir = isToLeft ? 'rtl' : 'ltr';
  page.documentElement.style.colorScheme = 'light dark';
  Object.assign(page.body.style, {
    display: 'grid',
    placeContent: 'center',
    gap: '0.5rem',
    minHeight: '100vh',
    margin: '0',
    padding: '1rem',
    boxSizing: 'border-box',
    font: '1rem/1.5 system-ui, sans-serif',
    textAlign: 'center',
    overflowWrap: 'anywhere',
  });
  const parties = page.createElement('strong');
  for (const part of [app, isToLeft ? ' ← ' : ' → ', bank]) {
    const shown = page.createElement('bdi');
    shown.textContent = part;
    parties.append(shown);
  }
  const notice = page.createElement('div');
  notice.textContent = text;
  page.body.replaceChildren(parties, notice);
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
