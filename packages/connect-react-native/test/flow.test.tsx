import { act, fireEvent, render, screen } from '@testing-library/react-native';
import { StrictMode } from 'react';
import { AccessibilityInfo, BackHandler, Dimensions, Linking } from 'react-native';
import {
  ConnectProvider,
  ConnectView,
  useOAuthReturn,
  type ContinueOptions,
} from '../src/index.js';
import { colorsOf } from '../src/native-colors';
import { addressOf, channelOf, heard, say, sayText } from './support/bridge';
import { BASE, callbacks, renderApp, startProcess, TOKEN } from './support/render-app';
import { forgetWebViews, webView, webViews } from './support/web-view';

const STATE_ID = '0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77';
const OTHER_STATE_ID = '7f3c2e1d-6b5a-4c4d-8e9f-0a1b2c3d4e5f';
const RETURN = `pocketledger://bank-return?oauth_state_id=${STATE_ID}`;
const INSTITUTION = {
  institution_id: 'credentials-bank',
  name: 'Credentials Bank',
  country: 'US',
  domain: null,
  color: null,
  color_dark: null,
  logo_url: null,
};
const LINKED = {
  mode: 'link',
  exchangeable_token: 'xt_1',
  expires_in: 1800,
  session_id: 's1',
  institution: INSTITUTION,
  accounts: [],
};
const EXITED = {
  reason: 'user_closed',
  error: null,
  session_id: 's1',
  institution: null,
  search_term: null,
};
const BANK_DOWN = {
  error_id: 'link_error.institution_unavailable',
  displayed_message: 'The bank is down.',
  request_id: null,
  fault: 'institution',
  link_error: null,
};

beforeEach(() => {
  // The time limits of a flow pass only where a test says so.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  jest.clearAllMocks();
  forgetWebViews();
  startProcess();
  jest.spyOn(Linking, 'openURL').mockResolvedValue(true);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** An app whose flow has been opened, with the hosted app there. */
async function openFlow(options: Parameters<typeof renderApp>[0] = {}) {
  const app = await renderApp(options);
  const heardBack = callbacks();
  await app.use((connect) => connect.presentLinkFlow({ linkSessionToken: TOKEN, ...heardBack }));
  await say('hello', { app_version: '1' });
  return { ...app, ...heardBack };
}

describe('A link flow', () => {
  it('loads Connect with a channel and no token in the address, and gives the token to `init` only', async () => {
    await openFlow();
    expect(addressOf(webView())).toBe(`${BASE}/start#channel=${channelOf(webView())}`);
    expect(heard().map(({ type }) => type)).toEqual(['init']);
    expect(heard()[0]?.payload).toMatchObject({
      link_session_token: TOKEN,
      options: {
        platform: 'react-native',
        device: 'mobile',
        sdk: { name: 'connect-react-native' },
      },
    });
  });

  it('calls back with success once, and takes Connect from the screen', async () => {
    const { connect, onSuccess, onExit, onEvent } = await openFlow();
    expect(connect().status).toBe('opening');
    await say('ready', { session_id: 's1', mode: 'link' });
    expect(connect().status).toBe('open');
    await say('success', LINKED);
    expect(onSuccess.mock.calls).toEqual([[LINKED]]);
    expect(onEvent.mock.calls.map(([event]) => event.name)).toEqual(['success']);
    expect(onExit).not.toHaveBeenCalled();
    expect(connect().status).toBe('success');
    expect(screen.queryByTestId('web-view')).toBeNull();
  });

  it('calls back with the exit that the user chose', async () => {
    const { connect, onExit } = await openFlow();
    await say('exit', EXITED);
    expect(onExit.mock.calls).toEqual([[EXITED]]);
    expect(connect().status).toBe('exited');
  });

  it('hears nothing of foreign origins, look-alikes, other channels and what is no message', async () => {
    const { onSuccess, onExit } = await openFlow();
    for (const from of [
      'https://connect.example@evil.example/connect/start',
      'https://api.example.evil/connect/start',
      'https://api.example:444/connect/start',
      'HTTPS://API.EXAMPLE/connect/start',
      'about:blank',
    ])
      await say('success', LINKED, { from });
    await say('success', LINKED, { channel: 'another-channel-000000' });
    await sayText('not json');
    expect(onSuccess).not.toHaveBeenCalled();
    expect(onExit).not.toHaveBeenCalled();
  });

  it('ignores a second flow while it is open, and never calls the callbacks of a flow that is over', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const first = await openFlow();
    const second = callbacks();
    const open = () =>
      first.use((connect) => connect.presentLinkFlow({ linkSessionToken: 'lst_2', ...second }));
    await open();
    expect(warn).toHaveBeenCalledTimes(1);
    await first.use((connect) => connect.exit({ force: true }));
    await say('close');
    expect(first.onExit).toHaveBeenCalledTimes(1);
    await open();
    await say('hello', { app_version: '1' });
    await say('success', LINKED);
    expect(second.onSuccess).toHaveBeenCalledTimes(1);
    expect(first.onSuccess).not.toHaveBeenCalled();
    expect(second.onExit).not.toHaveBeenCalled();
  });

  it.each([
    ['onExit', 'exit', EXITED],
    ['onSuccess', 'success', LINKED],
    ['onError', 'exit', { ...EXITED, reason: 'error', error: BANK_DOWN }],
  ] as const)(
    'loads a page of its own when %s of another flow has started it',
    async (callback, type, payload) => {
      const first = await openFlow();
      const second = callbacks();
      first[callback].mockImplementation(() =>
        first.connect().presentLinkFlow({ linkSessionToken: 'lst_2', ...second }),
      );
      await say(type, payload);
      await say('hello', { app_version: '1' });
      expect(heard().map((message) => message.payload['link_session_token'])).toEqual(['lst_2']);
      expect(first.connect().status).toBe('opening');
      expect(first.onExit.mock.calls.length + first.onSuccess.mock.calls.length).toBe(1);
      await say('success', LINKED);
      expect(second.onSuccess).toHaveBeenCalledTimes(1);
    },
  );

  it('throws for a token that cannot be one, without quoting it', async () => {
    const { connect } = await renderApp();
    const bad = 'not a token!';
    let message = '';
    try {
      connect().presentLinkFlow({ linkSessionToken: bad, ...callbacks() });
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('linkSessionToken');
    expect(message).not.toContain(bad);
  });

  it('is gone without a callback when the app unmounts it', async () => {
    const { unmount, onExit, onSuccess } = await openFlow();
    await unmount();
    await act(async () => undefined);
    expect(onExit).not.toHaveBeenCalled();
    expect(onSuccess).not.toHaveBeenCalled();
  });

  it('changes its theme while it is open', async () => {
    const { use } = await openFlow();
    await use((connect) => connect.update({ appearance: 'dark' }));
    expect(heard().at(-1)).toMatchObject({
      type: 'theme',
      payload: { theme: null, appearance: 'dark' },
    });
  });
});

describe('The last screen of a flow', () => {
  it.each([
    ['the notice that it has moved', 'exit', { ...EXITED, reason: 'moved' }],
    ['the success that the user has not left yet', 'success', LINKED],
  ])('makes way for a new flow and for a return: %s', async (_, type, payload) => {
    const begin = async () => {
      const app = await renderApp();
      const ended = callbacks();
      await app.use((connect) =>
        connect.presentLinkFlow({ linkSessionToken: TOKEN, closeOnSuccess: false, ...ended }),
      );
      await say('hello', { app_version: '1' });
      await say(type, payload);
      expect(screen.getByTestId('web-view')).toBeTruthy();
      return app;
    };
    const presented = await begin();
    const second = callbacks();
    await presented.use((connect) =>
      connect.presentLinkFlow({ linkSessionToken: 'lst_2', ...second }),
    );
    await say('hello', { app_version: '1' });
    expect(heard()[0]?.payload).toMatchObject({ link_session_token: 'lst_2' });
    await say('success', LINKED);
    expect(second.onSuccess).toHaveBeenCalledTimes(1);
    await presented.unmount();

    const returned = await begin();
    await returned.use((connect) => connect.continueFlow({ url: RETURN, ...callbacks() }));
    await say('hello', { app_version: '1' });
    expect(heard()[0]?.payload).toMatchObject({ continue_url: RETURN });
    await returned.unmount();
  });
});

describe('A page that cannot be loaded', () => {
  it('is explained with a way to try again and one to close, which is an exit with the same error', async () => {
    const app = await renderApp();
    const { onError, onExit, ...others } = callbacks();
    await app.use((connect) =>
      connect.presentLinkFlow({
        linkSessionToken: TOKEN,
        onError,
        onExit,
        ...others,
        locale: 'en',
      }),
    );
    await act(async () => webView().props.onError?.({} as never));
    expect(onError.mock.calls[0]?.[0]).toMatchObject({
      error_id: 'connect_error.frame_unavailable',
    });
    await fireEvent.press(screen.getByRole('button', { name: 'Try again' }));
    expect(webViews).toHaveLength(2);
    await act(async () => webView().props.onError?.({} as never));
    await fireEvent.press(screen.getByRole('button', { name: 'Close' }));
    expect(onExit.mock.calls[0]?.[0]).toMatchObject({
      reason: 'error',
      error: onError.mock.calls[1]?.[0],
    });
  });

  it('is loaded again with the same token when its content was ended by the system', async () => {
    await openFlow();
    await act(async () => webView().props.onContentProcessDidTerminate?.({} as never));
    expect(webViews).toHaveLength(2);
    await say('hello', { app_version: '1' });
    expect(heard()[0]?.payload).toMatchObject({ link_session_token: TOKEN });
  });

  it('is one that says nothing for ten seconds', async () => {
    const app = await renderApp();
    const { onError, ...others } = callbacks();
    await app.use((connect) =>
      connect.presentLinkFlow({ linkSessionToken: TOKEN, onError, ...others }),
    );
    await act(async () => jest.advanceTimersByTime(9_999));
    expect(onError).not.toHaveBeenCalled();
    await act(async () => jest.advanceTimersByTime(1));
    expect(onError.mock.calls[0]?.[0]).toMatchObject({
      error_id: 'connect_error.frame_unavailable',
    });
  });

  it('loads after silence when the user tries again', async () => {
    const app = await renderApp();
    const heardBack = callbacks();
    await app.use((connect) =>
      connect.presentLinkFlow({ linkSessionToken: TOKEN, ...heardBack, locale: 'en' }),
    );
    await act(async () => jest.advanceTimersByTime(10_000));
    await fireEvent.press(screen.getByRole('button', { name: 'Try again' }));
    expect(addressOf(webView())).toBe(`${BASE}/start?load=2#channel=${channelOf(webView())}`);
    await say('hello', { app_version: '1' });
    await say('success', LINKED);
    expect(heardBack.onSuccess).toHaveBeenCalledTimes(1);
  });

  it('is announced, and its native views have the appearance that the app gave', async () => {
    const announce = jest.spyOn(AccessibilityInfo, 'announceForAccessibility');
    const app = await renderApp();
    await app.use((connect) =>
      connect.presentLinkFlow({
        linkSessionToken: TOKEN,
        appearance: 'dark',
        locale: 'en',
        ...callbacks(),
      }),
    );
    const backgrounds = () => JSON.stringify(screen.toJSON());
    const [light, dark] = [colorsOf('light').background, colorsOf('dark').background];
    expect(backgrounds()).toContain(dark);
    await app.use((connect) => connect.update({ appearance: 'light' }));
    expect(backgrounds()).toContain(light);
    expect(backgrounds()).not.toContain(`"backgroundColor":"${dark}"`);
    await act(async () => webView().props.onError?.({} as never));
    expect(announce.mock.calls).toEqual([[expect.stringContaining('could not be loaded')]]);
    expect(screen.getByRole('alert')).toBeTruthy();
  });

  it('can be closed while it is loading', async () => {
    const app = await renderApp();
    const { onExit, ...others } = callbacks();
    await app.use((connect) =>
      connect.presentLinkFlow({ linkSessionToken: TOKEN, onExit, ...others, locale: 'en' }),
    );
    await fireEvent.press(screen.getByRole('button', { name: 'Close' }));
    expect(onExit.mock.calls[0]?.[0]).toMatchObject({ reason: 'user_closed' });
  });
});

describe("A bank's own login", () => {
  const oauthOpen = (more: object = {}) =>
    say('oauth_open', {
      authorize_url: 'https://oauth-bank.example/authorize',
      redirect_uri: 'pocketledger://bank-return',
      window: 'system',
      ...more,
    });

  it('opens in the session that the app gives, and its return goes to the page', async () => {
    const openAuthSession = jest.fn().mockResolvedValue({ outcome: 'returned', url: RETURN });
    await openFlow({ openAuthSession });
    await oauthOpen();
    await act(async () => undefined);
    expect(openAuthSession.mock.calls).toEqual([
      ['https://oauth-bank.example/authorize', 'pocketledger://bank-return'],
    ]);
    expect(heard().at(-1)).toMatchObject({ type: 'oauth_result', payload: { url: RETURN } });
  });

  it('opens in the session of the latest render, and no render ends the flow', async () => {
    const app = await openFlow({ openAuthSession: async () => ({ outcome: 'failed' }) });
    const latest = jest.fn().mockResolvedValue({ outcome: 'returned', url: RETURN });
    await app.renderAgain({ openAuthSession: latest });
    await oauthOpen();
    await act(async () => undefined);
    expect(latest).toHaveBeenCalledTimes(1);
    expect(webViews).toHaveLength(1);
    expect(heard().at(-1)).toMatchObject({ type: 'oauth_result', payload: { url: RETURN } });
    expect(app.onError).not.toHaveBeenCalled();
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no browser');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no browser'))],
  ])('is popup_blocked when the session of the app %s', async (_, openAuthSession) => {
    const { onError } = await openFlow({ openAuthSession });
    await oauthOpen();
    await act(async () => undefined);
    expect(onError.mock.calls.map(([error]) => error.error_id)).toEqual([
      'connect_error.popup_blocked',
    ]);
    expect(heard().at(-1)).toMatchObject({ type: 'oauth_result', payload: { cancelled: true } });
  });

  it('is cancelled in the page when the user closes it', async () => {
    await openFlow({ openAuthSession: async () => ({ outcome: 'cancelled' }) });
    await oauthOpen();
    await act(async () => undefined);
    expect(heard().at(-1)).toMatchObject({ type: 'oauth_result', payload: { cancelled: true } });
  });

  it('still links by a link that comes after its session has ended without a word', async () => {
    const app = await openFlow({ openAuthSession: async () => ({ outcome: 'dismissed' }) });
    await oauthOpen();
    await act(async () => undefined);
    expect(heard()).toHaveLength(1);
    let isReturn: unknown;
    await app.use((connect) => {
      isReturn = connect.continueFlow({ url: RETURN, ...callbacks() });
    });
    await app.use((connect) => connect.continueFlow({ url: RETURN, ...callbacks() }));
    expect(isReturn).toBe(true);
    expect(heard().filter(({ type }) => type === 'oauth_result')).toHaveLength(1);
  });

  it('opens nothing when its return comes again as a link after the flow has ended', async () => {
    const app = await openFlow({
      openAuthSession: async () => ({ outcome: 'returned', url: RETURN }),
    });
    await oauthOpen();
    await act(async () => undefined);
    await say('success', LINKED);
    const late = callbacks();
    const isReturn = app.connect().continueFlow({ url: RETURN, ...late });
    await act(async () => jest.advanceTimersByTime(60_000));
    expect(isReturn).toBe(true);
    expect(webViews).toHaveLength(1);
    expect(app.connect().status).toBe('success');
    expect(late.onError).not.toHaveBeenCalled();
  });

  it('opens in the browser of the system without a session of the app', async () => {
    await openFlow();
    await oauthOpen();
    expect(Linking.openURL).toHaveBeenCalledWith('https://oauth-bank.example/authorize');
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'intent://bank#Intent;end',
    'otherapp://x',
  ])('never opens %s', async (address) => {
    const openAuthSession = jest.fn();
    await openFlow({ openAuthSession });
    await oauthOpen({ authorize_url: address });
    expect(openAuthSession).not.toHaveBeenCalled();
    expect(Linking.openURL).not.toHaveBeenCalled();
  });
});

describe('An app that was ended while the user was at the bank', () => {
  it('goes on at /continue with the return address and the token it still has', async () => {
    const app = await renderApp();
    const heardBack = callbacks();
    await app.use((connect) =>
      connect.continueFlow({ url: RETURN, linkSessionToken: TOKEN, ...heardBack }),
    );
    expect(addressOf(webView())).toBe(`${BASE}/continue#channel=${channelOf(webView())}`);
    await say('hello', { app_version: '1' });
    expect(heard()[0]?.payload).toMatchObject({ continue_url: RETURN, link_session_token: TOKEN });
    await say('success', LINKED);
    expect(heardBack.onSuccess).toHaveBeenCalledTimes(1);
  });

  it('goes on without a token when it has none, and reports what its back end has to confirm', async () => {
    const app = await renderApp();
    const heardBack = callbacks();
    await app.use((connect) => connect.continueFlow({ url: RETURN, ...heardBack }));
    await say('hello', { app_version: '1' });
    expect(heard()[0]?.payload).toMatchObject({ continue_url: RETURN });
    expect(heard()[0]?.payload).not.toHaveProperty('link_session_token');
    const repaired = {
      mode: 'relink',
      confirmation_token: 'xt_1',
      expires_in: 1800,
      session_id: 's1',
      institution: INSTITUTION,
      accounts: [],
    };
    await say('success', repaired);
    expect(heardBack.onSuccess.mock.calls).toEqual([[repaired]]);
  });

  it("opens nothing and calls nothing for a link that is no bank's return", async () => {
    const app = await renderApp();
    const heardBack = callbacks();
    let isReturn: unknown;
    await app.use((connect) => {
      isReturn = connect.continueFlow({ url: 'pocketledger://settings', ...heardBack });
    });
    expect(isReturn).toBe(false);
    expect(webViews).toHaveLength(0);
    expect(heardBack.onError).not.toHaveBeenCalled();
  });
});

describe('The address that started the app', () => {
  const startedWith = (url: string | null) =>
    jest.spyOn(Linking, 'getInitialURL').mockResolvedValue(url);
  function Listener(props: Omit<ContinueOptions, 'url'>) {
    useOAuthReturn(props);
    return null;
  }

  it('is taken once, however often the app renders, and calls the callbacks of the latest render', async () => {
    startedWith(RETURN);
    const [early, late] = [callbacks(), callbacks()];
    const app = await renderApp({
      children: <Listener {...early} />,
      openAuthSession: async () => ({ outcome: 'dismissed' }),
    });
    await act(async () => undefined);
    await app.renderAgain({
      children: <Listener {...late} />,
      openAuthSession: async () => ({ outcome: 'dismissed' }),
    });
    await act(async () => undefined);
    expect(webViews).toHaveLength(1);
    expect(addressOf(webView())).toContain('/continue#');
    await say('hello', { app_version: '1' });
    await say('success', LINKED);
    expect(late.onSuccess).toHaveBeenCalledTimes(1);
    expect(early.onSuccess).not.toHaveBeenCalled();
  });

  it('opens nothing when it is no return of a bank, whatever the token is', async () => {
    startedWith('pocketledger://settings');
    for (const linkSessionToken of ['', null, 'not a token!']) {
      const app = await renderApp({
        children: <Listener {...callbacks()} linkSessionToken={linkSessionToken} />,
      });
      await act(async () => undefined);
      const { connect } = app;
      const url = 'pocketledger://settings';
      expect(connect().continueFlow({ url, linkSessionToken, ...callbacks() })).toBe(false);
      await app.unmount();
    }
    expect(webViews).toHaveLength(0);
  });
});

describe('An app that removed Connect while the user was at the bank', () => {
  /** The screen of the app is built again, as after a change of its activity; the process goes on. */
  const comeBack = async (stateId: string, baseUrl = BASE) => {
    const app = await renderApp({ baseUrl });
    const heardBack = callbacks();
    const url = `pocketledger://bank-return?oauth_state_id=${stateId}`;
    await app.use((connect) => connect.continueFlow({ url, ...heardBack }));
    await say('hello', { app_version: '1' });
    return { ...app, ...heardBack, token: heard().at(-1)?.payload['link_session_token'] };
  };
  const leave = async () => {
    const app = await openFlow();
    await app.unmount();
    await act(async () => undefined);
  };

  it('goes on with the token that its process kept, until the final callback', async () => {
    await leave();
    const back = await comeBack(STATE_ID);
    expect(back.token).toBe(TOKEN);
    await say('success', LINKED);
    expect(back.onSuccess).toHaveBeenCalledTimes(1);
    await back.unmount();
    expect((await comeBack(OTHER_STATE_ID)).token).toBeUndefined();
  });

  it('never sends that token to a Connect at another address', async () => {
    await leave();
    const back = await comeBack(STATE_ID, 'https://another.example/connect');
    expect(back.token).toBeUndefined();
  });
});

describe('What the WebView reports', () => {
  const report = (
    name: 'onHttpError' | 'onNavigationStateChange' | 'onOpenWindow',
    event: object,
  ) => act(async () => (webView().props[name] as ((event: object) => void) | undefined)?.(event));
  const httpError = (url: string) =>
    report('onHttpError', { nativeEvent: { url, statusCode: 502 } });

  it('ends the page for an HTTP error of the page itself, not for one of a picture', async () => {
    const { onError } = await openFlow();
    await httpError('https://api.example/connect/assets/logo.png');
    expect(onError).not.toHaveBeenCalled();
    await httpError(`${BASE}/start`);
    expect(onError.mock.calls.map(([error]) => error.error_id)).toEqual([
      'connect_error.frame_unavailable',
    ]);
  });

  it('takes a main frame that is elsewhere back to Connect', async () => {
    await openFlow();
    await report('onNavigationStateChange', { url: `${BASE}/start` });
    expect(webViews).toHaveLength(1);
    await report('onNavigationStateChange', { url: 'https://elsewhere.example/' });
    expect(webViews).toHaveLength(2);
    expect(addressOf(webView())).toContain(`${BASE}/start`);
  });

  it('loads the page again when its process on Android is gone', async () => {
    await openFlow();
    await act(async () => webView().props.onRenderProcessGone?.({} as never));
    expect(webViews).toHaveLength(2);
  });

  it('opens a link that wants a window of its own in the browser', async () => {
    await openFlow();
    await report('onOpenWindow', { nativeEvent: { targetUrl: 'https://help.example/' } });
    expect(Linking.openURL).toHaveBeenCalledWith('https://help.example/');
    expect(webViews).toHaveLength(1);
  });
});

describe('The modal', () => {
  /** The host component of the modal around the WebView. */
  const modal = () => {
    let element = screen.getByTestId('web-view').parent;
    while (element !== null && element.props['supportedOrientations'] === undefined)
      element = element.parent;
    return element;
  };

  it('goes back in the page with the back key of Android, and closes nothing', async () => {
    const { onExit } = await openFlow();
    await fireEvent(modal() as NonNullable<ReturnType<typeof modal>>, 'requestClose');
    expect(heard().at(-1)?.type).toBe('back');
    expect(onExit).not.toHaveBeenCalled();
  });

  it('turns with the device, and keeps the page', async () => {
    await openFlow();
    expect(modal()?.props['supportedOrientations']).toEqual(
      expect.arrayContaining(['portrait', 'landscape-left', 'landscape-right']),
    );
    const upright = Dimensions.get('window');
    await act(async () => Dimensions.set({ window: { ...upright, width: 844, height: 390 } }));
    expect(webViews).toHaveLength(1);
    Dimensions.set({ window: upright });
  });
});

describe('The WebView', () => {
  it('loads Connect only: other pages open outside by a tap, schemes of apps never', async () => {
    await openFlow();
    const decide = (request: object): boolean =>
      webView().props.onShouldStartLoadWithRequest?.(request as never) as boolean;
    expect(decide({ url: `${BASE}/start`, isTopFrame: true, navigationType: 'other' })).toBe(true);
    expect(decide({ url: 'https://elsewhere.example/', isTopFrame: true })).toBe(false);
    expect(Linking.openURL).not.toHaveBeenCalled();
    expect(decide({ url: 'https://help.example/', navigationType: 'click' })).toBe(false);
    expect(Linking.openURL).toHaveBeenCalledWith('https://help.example/');
    expect(decide({ url: 'otherapp://pay', navigationType: 'click' })).toBe(false);
    expect(Linking.openURL).toHaveBeenCalledTimes(1);
  });

  it('stores nothing, shares no cookies and reads no files', async () => {
    await openFlow();
    expect(webView().props).toMatchObject({
      originWhitelist: ['*'],
      domStorageEnabled: false,
      thirdPartyCookiesEnabled: false,
      sharedCookiesEnabled: false,
      allowFileAccess: false,
      incognito: true,
    });
  });

  it('is not incognito on Android, where that would empty the cookies of the whole app', () => {
    jest.isolateModules(() => {
      const { Platform: android } = require('react-native') as typeof import('react-native');
      Object.defineProperty(android, 'OS', { value: 'android' });
      const { WEB_VIEW_SETTINGS } = require('../src/web-view-settings') as {
        WEB_VIEW_SETTINGS: object;
      };
      expect(WEB_VIEW_SETTINGS).toMatchObject({ incognito: false, domStorageEnabled: false });
    });
  });
});

describe('A ConnectView', () => {
  it('is the flow inside the app, with the back key of Android as its way back', async () => {
    const listeners: (() => boolean | null | undefined)[] = [];
    jest.spyOn(BackHandler, 'addEventListener').mockImplementation((_, listener) => {
      listeners.push(listener);
      return { remove: () => undefined };
    });
    const heardBack = callbacks();
    const app = await renderApp({
      children: <ConnectView linkSessionToken={TOKEN} {...heardBack} />,
    });
    await say('hello', { app_version: '1' });
    await act(async () => {
      expect(listeners.at(-1)?.()).toBe(true);
    });
    expect(heard().at(-1)?.type).toBe('back');
    await app.unmount();
    expect(heardBack.onExit).not.toHaveBeenCalled();
  });
});

describe('A second ConnectView', () => {
  it('shows nothing while the first one is mounted, and warns once', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const [first, second] = [callbacks(), callbacks()];
    await renderApp({
      children: [
        <ConnectView key="first" linkSessionToken={TOKEN} {...first} />,
        <ConnectView key="second" linkSessionToken="lst_2" {...second} />,
      ],
    });
    expect(screen.getAllByTestId('web-view')).toHaveLength(1);
    expect(warn).toHaveBeenCalledTimes(1);
    await say('hello', { app_version: '1' });
    await say('success', LINKED);
    expect(first.onSuccess).toHaveBeenCalledTimes(1);
    expect(second.onSuccess).not.toHaveBeenCalled();
  });
});

describe('Unmounting', () => {
  it.each([
    ['while it is loading', async () => undefined],
    ['once it is open', () => say('hello', { app_version: '1' })],
    ['after it could not be loaded', () => act(async () => webView().props.onError?.({} as never))],
    [
      'while the user is at the bank',
      async () => {
        await say('hello', { app_version: '1' });
        await say('oauth_open', {
          authorize_url: 'https://oauth-bank.example/authorize',
          redirect_uri: 'pocketledger://bank-return',
          window: 'system',
        });
      },
    ],
  ])('calls no callback and stops every timer, %s', async (_, reach) => {
    const app = await renderApp({ openAuthSession: () => new Promise(() => undefined) });
    const { onSuccess, onExit, ...others } = callbacks();
    const timers = jest.getTimerCount();
    await app.use((connect) =>
      connect.presentLinkFlow({ linkSessionToken: TOKEN, onSuccess, onExit, ...others }),
    );
    await reach();
    await app.unmount();
    await act(async () => undefined);
    expect(jest.getTimerCount()).toBe(timers);
    const calls = others.onError.mock.calls.length;
    await act(async () => jest.advanceTimersByTime(120_000));
    expect(onSuccess).not.toHaveBeenCalled();
    expect(onExit).not.toHaveBeenCalled();
    expect(others.onError).toHaveBeenCalledTimes(calls);
  });
});

describe('Strict mode, which mounts everything twice', () => {
  it('has one flow with one final callback', async () => {
    const heardBack = callbacks();
    await render(
      <StrictMode>
        <ConnectProvider connectBaseUrl={BASE}>
          <ConnectView linkSessionToken={TOKEN} {...heardBack} />
        </ConnectProvider>
      </StrictMode>,
    );
    await act(async () => undefined);
    expect(webViews.filter(({ mounted }) => mounted)).toHaveLength(1);
    await say('hello', { app_version: '1' });
    await say('success', LINKED);
    expect(heardBack.onSuccess).toHaveBeenCalledTimes(1);
    expect(heardBack.onExit).not.toHaveBeenCalled();
  });
});
