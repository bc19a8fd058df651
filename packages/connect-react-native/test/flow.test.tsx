import { act, render, screen } from '@testing-library/react-native';
import { StrictMode } from 'react';
import { ConnectProvider, ConnectView } from '../src/index.js';
import { addressOf, channelOf, heard, say, sayText } from './support/bridge';
import { BANK_DOWN, EXITED, LINKED, RETURN } from './support/payloads';
import { openFlow, useNewPhones } from './support/phone';
import { BASE, callbacks, renderApp, TOKEN } from './support/render-app';
import { webView, webViews } from './support/web-view';

useNewPhones();

describe('A link flow', () => {
  it('loads Connect with a channel and no token in the address, and passes the token only to `init`', async () => {
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

  it('calls back with success once, and removes Connect from the screen', async () => {
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

  it('ignores foreign origins, look-alikes, other channels and data that is not a message', async () => {
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

  it('ignores a second flow while it is open, and never calls the callbacks of a finished flow', async () => {
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

  it('throws for an invalid token, without quoting it', async () => {
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

  it('disappears without a callback when the app unmounts it', async () => {
    const { unmount, onExit, onSuccess } = await openFlow();
    await unmount();
    await act(async () => undefined);
    expect(onExit).not.toHaveBeenCalled();
    expect(onSuccess).not.toHaveBeenCalled();
  });

  it('changes its look while it is open, and keeps the options that an update omits', async () => {
    const { use } = await openFlow();
    const theme = { colors: { accent: 'teal' } };
    await use((connect) => connect.update({ appearance: 'dark' }));
    await use((connect) => connect.update({ theme }));
    await use((connect) => connect.update({ appearance: 'light' }));
    expect(heard().slice(1)).toMatchObject([
      { type: 'theme', payload: { theme: null, appearance: 'dark' } },
      { type: 'theme', payload: { theme, appearance: 'dark' } },
      { type: 'theme', payload: { theme, appearance: 'light' } },
    ]);
  });
});

describe('The last screen of a flow', () => {
  it.each([
    ['the notice that it has moved', 'exit', { ...EXITED, reason: 'moved' }],
    ['the success that the user has not left yet', 'success', LINKED],
  ])('is replaced by a new flow and by a return: %s', async (_, type, payload) => {
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
