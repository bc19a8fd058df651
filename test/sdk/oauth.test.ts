import {
  createConnect,
  type Connect,
  type ConnectOptions,
  type ContinueRequest,
} from '../../packages/connect-js/src/index.js';
import {
  BASE_URL,
  envelope,
  frames,
  HostedApp,
  LINK_SUCCESS,
  ORIGIN,
  RETURN_URL,
  STATE_ID,
  TOKEN,
} from './support/hosted-app.js';
import { delivered, installMessagePorts, openBroadcastChannels } from './support/message-ports.js';
import { recordCallbacks } from './support/recorder.js';

installMessagePorts();

const RESUME = envelope('', 'resume', { url: RETURN_URL });
const RESUME_ACK = envelope('', 'resume_ack', { oauth_state_id: STATE_ID });

let recorded = recordCallbacks();
let connect: Connect;
let close: jest.SpiedFunction<typeof window.close>;

const create = (options: Partial<ConnectOptions> = {}): Connect => {
  connect = createConnect({ connectBaseUrl: BASE_URL, ...recorded.callbacks, ...options });
  return connect;
};

beforeEach(() => {
  jest.useFakeTimers();
  recorded = recordCallbacks();
  close = jest.spyOn(window, 'close').mockImplementation(() => undefined);
});
afterEach(() => {
  connect.destroy();
  expect(openBroadcastChannels()).toBe(0);
  Object.defineProperty(window, 'opener', { value: null, configurable: true });
  window.sessionStorage.clear();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('continue() on the return page', () => {
  const handedOver = jest.fn();
  const onReturnPage = async (request: Partial<ContinueRequest> = {}): Promise<void> => {
    create().continue({ url: RETURN_URL, onHandedOver: handedOver, ...request });
    await delivered();
  };
  const after = async (milliseconds: number): Promise<void> => {
    jest.advanceTimersByTime(milliseconds);
    await delivered();
  };
  /** Stands in for the window of the hosted frame that opened this one. */
  const withOpener = () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const opener = frame.contentWindow as Window;
    const heard = jest.spyOn(opener, 'postMessage').mockImplementation(() => undefined);
    Object.defineProperty(window, 'opener', { value: opener, configurable: true });
    const say = async ({
      data = RESUME_ACK as unknown,
      origin = ORIGIN,
      source = opener as MessageEventSource,
    } = {}): Promise<void> => {
      window.dispatchEvent(new MessageEvent('message', { data, origin, source }));
      await delivered();
    };
    return { heard, say, leave: () => frame.remove() };
  };

  beforeEach(() => {
    handedOver.mockReset();
  });

  it('passes the address to the window that opened it, closes, and calls no callback', async () => {
    const opener = withOpener();
    await onReturnPage();
    expect(opener.heard.mock.calls).toEqual([[RESUME, ORIGIN]]);
    await opener.say();
    expect(close).toHaveBeenCalledTimes(1);
    expect(handedOver).toHaveBeenCalledTimes(1);
    await after(60_000);
    opener.leave();
    expect(frames()).toHaveLength(0);
    expect(recorded.calls).toEqual([]);
    expect(connect.isOpen).toBe(false);
  });

  it.each<[string, (opener: ReturnType<typeof withOpener>) => Promise<void>]>([
    ['another origin', (opener) => opener.say({ origin: 'https://evil.example' })],
    ['another window', (opener) => opener.say({ source: window })],
    [
      'another state',
      (opener) =>
        opener.say({
          data: envelope('', 'resume_ack', {
            oauth_state_id: '11111111-1111-4111-8111-111111111111',
          }),
        }),
    ],
    [
      'a channel',
      (opener) =>
        opener.say({
          data: envelope('AAAAAAAAAAAAAAAAAAAAAA', 'resume_ack', { oauth_state_id: STATE_ID }),
        }),
    ],
    [
      'another type',
      (opener) => opener.say({ data: envelope('', 'resume', { oauth_state_id: STATE_ID }) }),
    ],
  ])('ignores an acknowledgment from %s', async (_, forge) => {
    const opener = withOpener();
    await onReturnPage();
    await forge(opener);
    expect(close).not.toHaveBeenCalled();
    opener.leave();
  });

  it('broadcasts to the pages of its origin when the opener does not respond for 1.5 s', async () => {
    const opener = withOpener();
    const page = new BroadcastChannel('connect-oauth');
    const heard: unknown[] = [];
    page.onmessage = ({ data }) => {
      heard.push(data);
    };
    await onReturnPage();
    await after(1_499);
    expect(heard).toEqual([]);
    await after(1);
    expect(heard).toEqual([RESUME]);
    page.postMessage(RESUME_ACK);
    await delivered();
    expect(close).toHaveBeenCalledTimes(1);
    page.close();
    opener.leave();
  });

  it('broadcasts to the pages of its origin at once without an opener', async () => {
    const page = new BroadcastChannel('connect-oauth');
    page.onmessage = () => page.postMessage(RESUME_ACK);
    await onReturnPage();
    expect(close).toHaveBeenCalledTimes(1);
    expect(recorded.calls).toEqual([]);
    page.close();
  });

  it('resumes here when no page acknowledges, and calls the callbacks of this instance', async () => {
    await onReturnPage();
    await after(1_499);
    expect(frames()).toHaveLength(0);
    await after(1);
    const app = HostedApp.inFrame();
    expect(app.frame.src).toBe(`${BASE_URL}/continue#channel=${app.channel}`);
    app.hello();
    expect(app.posted[0]?.message.payload).toMatchObject({ continue_url: RETURN_URL });
    expect(app.posted[0]?.message.payload).not.toHaveProperty('link_session_token');
    await app.say('success', LINK_SUCCESS);
    expect(recorded.payloads('success')).toEqual([LINK_SUCCESS]);
    expect(close).not.toHaveBeenCalled();
    expect(handedOver).not.toHaveBeenCalled();
  });

  it('waits 1.5 s for each of the two, then resumes here with the given token', async () => {
    const opener = withOpener();
    await onReturnPage({ linkSessionToken: TOKEN });
    await after(1_500);
    await after(1_499);
    opener.leave();
    expect(frames()).toHaveLength(0);
    await after(1);
    const app = HostedApp.inFrame();
    app.hello();
    expect(app.posted[0]?.message.payload).toMatchObject({
      continue_url: RETURN_URL,
      link_session_token: TOKEN,
    });
  });

  it.each([
    ['a missing state', 'https://app.example/bank-return'],
    ['an empty state', 'https://app.example/bank-return?oauth_state_id='],
    [
      'a state that is not a version 4 UUID',
      'https://app.example/bank-return?oauth_state_id=3f2b8c1e-5a4d-1e6f-9a7b-0c1d2e3f4a5b',
    ],
    ['an invalid address', 'bank-return'],
  ])('opens nothing for %s, and calls onError', async (_, url) => {
    await onReturnPage({ url });
    await after(60_000);
    expect(recorded.calls).toMatchObject([
      ['error', { error_id: 'connect_error.oauth_state_invalid', fault: 'user' }],
    ]);
    expect(frames()).toHaveLength(0);
    expect(connect.isOpen).toBe(false);
  });

  it('counts as open while it looks for the window', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    await onReturnPage();
    connect.continue({ url: RETURN_URL });
    connect.open({ linkSessionToken: TOKEN });
    expect(warn).toHaveBeenCalledTimes(2);
    await after(1_500);
    expect(frames()).toHaveLength(1);
  });

  it('can be exited or destroyed while it looks for the window', async () => {
    await onReturnPage();
    connect.exit();
    await after(60_000);
    expect(recorded.payloads('exit')).toMatchObject([{ reason: 'programmatic' }]);
    expect(frames()).toHaveLength(0);

    await onReturnPage();
    connect.destroy();
    await after(60_000);
    expect(recorded.payloads('exit')).toHaveLength(1);
    expect(frames()).toHaveLength(0);
  });

  it('refuses an invalid token', () => {
    expect(() => create().continue({ url: RETURN_URL, linkSessionToken: '' })).toThrow(
      'linkSessionToken',
    );
  });
});

describe('The page that started an OAuth login', () => {
  const opened = async (options: Partial<ConnectOptions> = {}): Promise<HostedApp> => {
    create(options).open({ linkSessionToken: TOKEN });
    return HostedApp.ready();
  };

  it('passes the address of a return page to its frame, and the acknowledgment back', async () => {
    const app = await opened();
    const page = new BroadcastChannel('connect-oauth');
    const heard: unknown[] = [];
    page.onmessage = ({ data }) => {
      heard.push(data);
    };
    page.postMessage(RESUME);
    await delivered();
    expect(app.heard).toEqual([RESUME]);
    expect(heard).toEqual([]);
    await app.say('resume_ack', { oauth_state_id: STATE_ID }, '');
    expect(heard).toEqual([RESUME_ACK]);
    await app.say('resume_ack', { oauth_state_id: STATE_ID });
    expect(heard).toEqual([RESUME_ACK, RESUME_ACK]);
    page.close();
    expect(recorded.names()).toEqual(['ready']);
  });

  it.each([
    ['an address without a state', envelope('', 'resume', { url: 'https://app.example/' })],
    ['a channel', envelope('AAAAAAAAAAAAAAAAAAAAAA', 'resume', { url: RETURN_URL })],
    ['another type', envelope('', 'oauth_result', { url: RETURN_URL })],
  ])('ignores a message with %s', async (_, message) => {
    const app = await opened();
    const page = new BroadcastChannel('connect-oauth');
    page.postMessage(message);
    await delivered();
    expect(app.heard).toEqual([]);
    page.close();
  });

  it('navigates to the bank itself when the app requests the same window', async () => {
    const app = await opened({ oauthWindow: 'same' });
    await app.say('oauth_open', {
      authorize_url: `${location.origin}/#at-the-bank`,
      redirect_uri: 'https://app.example/bank-return',
      window: 'same',
    });
    expect(location.hash).toBe('#at-the-bank');
    location.hash = '';
    expect(recorded.names()).toEqual(['ready']);
  });

  it('does not navigate for a popup, which the frame opens itself', async () => {
    const app = await opened();
    await app.say('oauth_open', {
      authorize_url: `${location.origin}/#at-the-bank`,
      redirect_uri: 'https://app.example/bank-return',
      window: 'popup',
    });
    expect(location.hash).toBe('');
  });

  it.each(['javascript:document.title="run"', 'data:text/html,hello', '//bank.example', ''])(
    'refuses to navigate to %p',
    async (address) => {
      const app = await opened({ oauthWindow: 'same' });
      await app.say('oauth_open', {
        authorize_url: address,
        redirect_uri: 'https://app.example/bank-return',
        window: 'same',
      });
      expect(document.title).toBe('');
      expect(recorded.payloads('error')).toMatchObject([
        { error_id: 'connect_error.popup_blocked' },
      ]);
    },
  );
});
