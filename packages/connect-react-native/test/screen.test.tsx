import { act, fireEvent, screen } from '@testing-library/react-native';
import { AccessibilityInfo, BackHandler, Dimensions, Linking } from 'react-native';
import { ConnectView } from '../src/index.js';
import { colorsOf } from '../src/screens/native-colors';
import { addressOf, channelOf, heard, say } from './support/bridge';
import { BANK_DOWN, EXITED, LINKED } from './support/payloads';
import { openFlow, useNewPhones } from './support/phone';
import { BASE, callbacks, renderApp, TOKEN } from './support/render-app';
import { webView, webViews } from './support/web-view';

useNewPhones();

describe('A page that cannot be loaded', () => {
  it('is explained with a button to try again and one to close, which is an exit with the same error', async () => {
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

  it('is loaded again with the same token when its content was terminated by the system', async () => {
    await openFlow();
    await act(async () => webView().props.onContentProcessDidTerminate?.({} as never));
    expect(webViews).toHaveLength(2);
    await say('hello', { app_version: '1' });
    expect(heard()[0]?.payload).toMatchObject({ link_session_token: TOKEN });
  });

  it('is one that sends nothing for ten seconds', async () => {
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

  it('is announced, and its native views have the appearance that the app set', async () => {
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

describe('The events that the WebView reports', () => {
  const report = (
    name: 'onHttpError' | 'onNavigationStateChange' | 'onOpenWindow',
    event: object,
  ) => act(async () => (webView().props[name] as ((event: object) => void) | undefined)?.(event));
  const httpError = (url: string) =>
    report('onHttpError', { nativeEvent: { url, statusCode: 502 } });

  it('end the page for an HTTP error of the page itself, not for one of a picture', async () => {
    const { onError } = await openFlow();
    await httpError('https://api.example/connect/assets/logo.png');
    expect(onError).not.toHaveBeenCalled();
    await httpError(`${BASE}/start`);
    expect(onError.mock.calls.map(([error]) => error.error_id)).toEqual([
      'connect_error.frame_unavailable',
    ]);
  });

  it('return a main frame that is elsewhere to Connect', async () => {
    await openFlow();
    await report('onNavigationStateChange', { url: `${BASE}/start` });
    expect(webViews).toHaveLength(1);
    await report('onNavigationStateChange', { url: 'https://elsewhere.example/' });
    expect(webViews).toHaveLength(2);
    expect(addressOf(webView())).toContain(`${BASE}/start`);
  });

  it('load the page again when its process on Android is gone', async () => {
    await openFlow();
    await act(async () => webView().props.onRenderProcessGone?.({} as never));
    expect(webViews).toHaveLength(2);
  });

  it('open a link that requests a window of its own in the browser', async () => {
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
  it('loads only Connect: other pages open outside by a tap, schemes of apps never', async () => {
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

  it('runs scripts, stores nothing, shares no cookies, reads no files and moves nowhere by itself', async () => {
    await openFlow();
    expect(webView().props).toMatchObject({
      javaScriptEnabled: true,
      originWhitelist: ['*'],
      domStorageEnabled: false,
      thirdPartyCookiesEnabled: false,
      sharedCookiesEnabled: false,
      incognito: true,
      allowFileAccess: false,
      allowFileAccessFromFileURLs: false,
      allowUniversalAccessFromFileURLs: false,
      geolocationEnabled: false,
      allowsBackForwardNavigationGestures: false,
      allowsLinkPreview: false,
      javaScriptCanOpenWindowsAutomatically: false,
      setSupportMultipleWindows: true,
      mixedContentMode: 'never',
      webviewDebuggingEnabled: __DEV__,
      contentInsetAdjustmentBehavior: 'never',
      keyboardDisplayRequiresUserAction: false,
    });
  });

  it('is not incognito on Android, where that would empty the cookies of the whole app', () => {
    jest.isolateModules(() => {
      const { Platform: android } = require('react-native') as typeof import('react-native');
      Object.defineProperty(android, 'OS', { value: 'android' });
      const { WEB_VIEW_SETTINGS } = require('../src/screens/web-view-settings') as {
        WEB_VIEW_SETTINGS: object;
      };
      expect(WEB_VIEW_SETTINGS).toMatchObject({ incognito: false, domStorageEnabled: false });
    });
  });
});

describe('A ConnectView', () => {
  it('is the flow inside the app, with the back key of Android to go back', async () => {
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

  it.each([
    ['success', LINKED],
    ['exit', EXITED],
  ] as const)(
    'calls the callbacks of its latest render alone, until its %s',
    async (type, payload) => {
      const [early, late] = [callbacks(), callbacks()];
      const view = (heardBack: ReturnType<typeof callbacks>) => (
        <ConnectView key="view" linkSessionToken={TOKEN} {...heardBack} />
      );
      const app = await renderApp({ children: view(early) });
      await app.renderAgain({ children: view(late) });
      await say('hello', { app_version: '1' });
      await say('ready', { session_id: 's1', mode: 'link' });
      await say('error', BANK_DOWN);
      await say(type, payload);
      expect(webViews).toHaveLength(1);
      const { onSuccess, onExit, ...others } = late;
      for (const callback of [...Object.values(others), type === 'exit' ? onExit : onSuccess])
        expect(callback).toHaveBeenCalledTimes(1);
      for (const callback of Object.values(early)) expect(callback).not.toHaveBeenCalled();
    },
  );

  it('ends its flow without a callback when the app removes it alone', async () => {
    const heardBack = callbacks();
    const app = await renderApp({
      children: <ConnectView linkSessionToken={TOKEN} {...heardBack} />,
    });
    await say('hello', { app_version: '1' });
    await app.renderAgain({});
    await app.use((connect) =>
      connect.presentLinkFlow({ linkSessionToken: 'lst_2', ...callbacks() }),
    );
    await say('hello', { app_version: '1' });
    expect(heard()[0]?.payload).toMatchObject({ link_session_token: 'lst_2' });
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
