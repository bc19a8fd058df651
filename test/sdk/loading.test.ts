import {
  createConnect,
  type Connect,
  type ConnectOptions,
} from '../../packages/connect-js/src/index.js';
import {
  BASE_URL,
  envelope,
  frames,
  HostedApp,
  LINK_SUCCESS,
  TOKEN,
} from './support/hosted-app.js';
import { installMessagePorts } from './support/message-ports.js';
import { recordCallbacks } from './support/recorder.js';
import { readCases } from './support/vectors.js';

installMessagePorts();

interface Words {
  title: string;
  loading: string;
  try_again: string;
  close: string;
  frame_unavailable: string;
}

const OFFLINE = 'You’re offline. This continues when you’re back online.';
const UNAVAILABLE = 'This could not be loaded. Check your connection and try again.';

describe('Connect on a page, before it is loaded', () => {
  let recorded = recordCallbacks();
  let connect: Connect;
  let isOnline = true;

  const open = (options: Partial<ConnectOptions> = {}): void => {
    connect = createConnect({ connectBaseUrl: BASE_URL, ...recorded.callbacks, ...options });
    connect.open({ linkSessionToken: TOKEN });
    jest.advanceTimersByTime(0);
  };
  const layer = (): HTMLElement | null => document.querySelector('[data-tributary-connect]');
  const screen = (): ShadowRoot | null =>
    [...(layer()?.children ?? [])].map(({ shadowRoot }) => shadowRoot).find(Boolean) ?? null;
  const texts = (): string[] =>
    [...(screen()?.querySelectorAll('h2, p, button') ?? [])].map(
      ({ textContent }) => textContent ?? '',
    );
  const press = (label: string): void => {
    const found = [...(screen()?.querySelectorAll('button') ?? [])].find(
      ({ textContent }) => textContent === label,
    );
    if (found === undefined) throw new Error(`${label} is not a button here: ${texts().join()}`);
    found.click();
  };
  const key = (name: string, more: KeyboardEventInit = {}): void => {
    (screen()?.activeElement ?? document.body).dispatchEvent(
      new KeyboardEvent('keydown', {
        key: name,
        bubbles: true,
        composed: true,
        cancelable: true,
        ...more,
      }),
    );
  };
  const network = (online: boolean): void => {
    isOnline = online;
    window.dispatchEvent(new Event(online ? 'online' : 'offline'));
  };
  /** Frames in which the document of another origin has taken the place of the empty one. */
  let arrived = new Set<HTMLIFrameElement | undefined>();
  const arrive = (): unknown => arrived.add(frames().at(-1));
  const errors = (): string[] =>
    (recorded.payloads('error') as { displayed_message: string }[]).map(
      ({ displayed_message: message }) => message,
    );

  beforeEach(() => {
    jest.useFakeTimers();
    isOnline = true;
    jest.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
    arrived = new Set();
    jest.spyOn(HTMLIFrameElement.prototype, 'contentDocument', 'get').mockImplementation(function (
      this: HTMLIFrameElement,
    ) {
      return arrived.has(this) ? null : ({ URL: 'about:blank' } as Document);
    });
    recorded = recordCallbacks();
    document.body.innerHTML = '<button id="opener">Link a bank</button><div id="place"></div>';
  });
  afterEach(() => {
    connect.destroy();
    network(true);
    jest.restoreAllMocks();
    jest.useRealTimers();
    expect(frames()).toHaveLength(0);
  });

  it('shows after one second that it is loading, with a button to close it', () => {
    open();
    jest.advanceTimersByTime(999);
    expect(screen()).toBeNull();
    jest.advanceTimersByTime(1);
    expect(texts()).toEqual(['Connect your bank', 'Loading', 'Close']);
    press('Close');
    expect(recorded.names()).toEqual(['event', 'exit']);
    expect(recorded.payloads('exit')).toMatchObject([{ reason: 'user_closed', error: null }]);
  });

  it('shows nothing of its own when the app is loaded within one second', async () => {
    open();
    await HostedApp.ready();
    jest.advanceTimersByTime(3_600_000);
    expect(screen()).toBeNull();
    expect(recorded.names()).toEqual(['ready']);
  });

  it('hides the frame until the app draws, and then gives it the focus', async () => {
    open();
    const { frame } = HostedApp.inFrame();
    jest.advanceTimersByTime(1_000);
    expect(frame.style.visibility).toBe('hidden');
    await HostedApp.ready();
    expect(frame.style.visibility).toBe('visible');
    expect(screen()).toBeNull();
    expect(document.activeElement).toBe(frame);
  });

  it('stays with an offer to try again after 10 s of silence, and reports the error once', () => {
    open();
    jest.advanceTimersByTime(9_999);
    expect(recorded.calls).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(texts()).toEqual(['Connect your bank', UNAVAILABLE, 'Try again', 'Close']);
    jest.advanceTimersByTime(3_600_000);
    expect(recorded.names()).toEqual(['error']);
    expect(recorded.payloads('error')).toMatchObject([
      { error_id: 'connect_error.frame_unavailable', fault: 'service' },
    ]);
    expect(connect.isOpen).toBe(true);
  });

  it.each([
    ['Close', () => press('Close')],
    ['Escape', () => key('Escape')],
  ])('ends with the error that it reported when the user leaves by %s', (_, leave) => {
    open();
    jest.advanceTimersByTime(10_000);
    leave();
    expect(recorded.names()).toEqual(['error', 'event', 'exit']);
    const [exit] = recorded.payloads('exit') as { reason: string; error: unknown }[];
    expect(exit).toMatchObject({ reason: 'error', session_id: null });
    expect(exit?.error).toBe(recorded.payloads('error')[0]);
    expect(connect.isOpen).toBe(false);
  });

  it('ends with the error and the reason programmatic when the app closes it', () => {
    open();
    jest.advanceTimersByTime(10_000);
    connect.exit();
    expect(recorded.payloads('exit')).toMatchObject([
      { reason: 'programmatic', error: { error_id: 'connect_error.frame_unavailable' } },
    ]);
  });

  it('counts its limit from the arrival of the page', async () => {
    open();
    jest.advanceTimersByTime(9_000);
    arrive();
    jest.advanceTimersByTime(9_900);
    expect(recorded.calls).toEqual([]);
    expect(texts()).toContain('Loading');
    await HostedApp.ready();
    expect(recorded.names()).toEqual(['ready']);
  });

  it('counts the arrival of a page once, and of each attempt', () => {
    open();
    arrive();
    jest.advanceTimersByTime(11_000);
    expect(errors()).toEqual([UNAVAILABLE]);
    press('Try again');
    jest.advanceTimersByTime(9_000);
    arrive();
    jest.advanceTimersByTime(9_900);
    expect(errors()).toEqual([UNAVAILABLE]);
  });

  it('tries again in a frame and on a channel of its own, with the same token and the latest theme', async () => {
    open();
    const first = HostedApp.inFrame();
    jest.advanceTimersByTime(10_000);
    connect.update({ appearance: 'dark' });
    press('Try again');
    expect(texts()).toEqual(['Connect your bank', 'Loading', 'Close']);
    expect(frames()).toHaveLength(1);
    const second = HostedApp.inFrame();
    expect(second.channel).not.toBe(first.channel);
    second.hello({ message: envelope(first.channel, 'hello') });
    expect(second.posted).toEqual([]);
    second.hello();
    expect(second.posted[0]?.message.payload).toMatchObject({
      link_session_token: TOKEN,
      options: { appearance: 'dark' },
    });
    await second.say('success', LINK_SUCCESS);
    expect(recorded.names()).toEqual(['error', 'event', 'success']);
  });

  it('has the same limits in every further attempt', () => {
    open();
    jest.advanceTimersByTime(10_000);
    press('Try again');
    jest.advanceTimersByTime(9_999);
    expect(errors()).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(errors()).toEqual([UNAVAILABLE, UNAVAILABLE]);
    press('Close');
    expect(recorded.payloads('exit')).toHaveLength(1);
  });

  it('continues when the app answers after all', async () => {
    open();
    jest.advanceTimersByTime(10_000);
    await HostedApp.ready();
    expect(screen()).toBeNull();
    connect.exit();
    expect(recorded.names()).toEqual(['error', 'ready']);
  });

  it('shows at once that there is no network, and loads when there is one', async () => {
    isOnline = false;
    open();
    expect(texts()).toEqual(['Connect your bank', OFFLINE, 'Try again', 'Close']);
    expect(recorded.payloads('error')).toMatchObject([
      { error_id: 'connect_error.frame_unavailable', displayed_message: OFFLINE },
    ]);
    const before = frames()[0];
    network(true);
    expect(texts()).toEqual(['Connect your bank', 'Loading', 'Close']);
    expect(frames()[0]).not.toBe(before);
    await HostedApp.ready();
    expect(recorded.names()).toEqual(['error', 'ready']);
  });

  it('shows at once that the network is lost while it loads', () => {
    open();
    network(false);
    expect(texts()).toContain(OFFLINE);
    jest.advanceTimersByTime(60_000);
    expect(errors()).toEqual([OFFLINE]);
  });

  it('tries again by itself after silence when the network returns', () => {
    open();
    jest.advanceTimersByTime(10_000);
    network(true);
    expect(texts()).toEqual(['Connect your bank', 'Loading', 'Close']);
  });

  it('leaves a lost network to the app once it is loaded', async () => {
    open();
    await HostedApp.ready();
    network(false);
    network(true);
    expect(screen()).toBeNull();
    expect(recorded.names()).toEqual(['ready']);
  });

  it('opens although the browser wrongly reports no network', async () => {
    isOnline = false;
    open();
    await HostedApp.ready();
    expect(screen()).toBeNull();
    expect(recorded.names()).toEqual(['error', 'ready']);
  });

  it('calls nothing during open, so that its caller has the flow in hand', () => {
    isOnline = false;
    connect = createConnect({
      connectBaseUrl: BASE_URL,
      ...recorded.callbacks,
      onError: () => connect.destroy(),
    });
    connect.open({ linkSessionToken: TOKEN });
    expect(connect.isOpen).toBe(true);
    jest.advanceTimersByTime(0);
    expect(layer()).toBeNull();
    expect(connect.isOpen).toBe(false);
  });

  it('keeps the focus in a dialog with a name, and returns it', () => {
    document.querySelector<HTMLElement>('#opener')?.focus();
    open();
    jest.advanceTimersByTime(10_000);
    const focused = (): string => screen()?.activeElement?.textContent ?? '';
    expect(screen()?.activeElement?.getAttribute('role')).toBe('dialog');
    const around = (): string => {
      key('Tab');
      return focused();
    };
    key('Tab', { shiftKey: true });
    expect(focused()).toBe('Close');
    expect(around()).toBe('Try again');
    key('Tab', { shiftKey: true });
    expect(focused()).toBe('Close');
    key('Escape');
    expect(document.activeElement?.id).toBe('opener');
  });

  it('takes no focus inside an element of the page, and closes there by Escape too', () => {
    const opener = document.querySelector<HTMLElement>('#opener');
    opener?.focus();
    open({ container: '#place' });
    jest.advanceTimersByTime(1_000);
    expect(document.activeElement).toBe(opener);
    screen()?.querySelector('button')?.focus();
    key('Escape');
    expect(recorded.payloads('exit')).toMatchObject([{ reason: 'user_closed' }]);
  });

  it.each(readCases<string, Words>('texts'))(
    'has the words of the phones: $name',
    ({ given, then }) => {
      open({ locale: given });
      jest.advanceTimersByTime(1_000);
      expect(texts()).toEqual([then.title, then.loading, then.close]);
      jest.advanceTimersByTime(9_000);
      expect(texts()).toEqual([then.title, then.frame_unavailable, then.try_again, then.close]);
      const cover = screen()?.querySelector('.cover');
      expect(cover?.getAttribute('dir')).toBe(given.startsWith('ar') ? 'rtl' : 'ltr');
      network(false);
      press(then.try_again);
      jest.advanceTimersByTime(0);
      expect(texts()[1]).not.toBe(then.frame_unavailable);
      expect(texts()[1] === OFFLINE).toBe(then.title === 'Connect your bank');
    },
  );

  it('follows the appearance', () => {
    open({ appearance: 'light' });
    jest.advanceTimersByTime(1_000);
    const isDark = (): boolean => screen()?.querySelector('.dark') !== null;
    expect(isDark()).toBe(false);
    connect.update({ appearance: 'dark' });
    expect(isDark()).toBe(true);
  });
});
