import { act } from '@testing-library/react-native';
import { Linking } from 'react-native';
import { useOAuthReturn, type ContinueOptions } from '../src/index.js';
import { addressOf, channelOf, heard, say } from './support/bridge';
import {
  INSTITUTION,
  LINKED,
  OTHER_STATE_ID,
  RETURN,
  STATE_HASH,
  STATE_ID,
} from './support/payloads';
import { openFlow, useNewPhones } from './support/phone';
import { BASE, callbacks, renderApp, TOKEN } from './support/render-app';
import { webView, webViews } from './support/web-view';

useNewPhones();

describe("A bank's own login", () => {
  const oauthOpen = (more: object = {}) =>
    say('oauth_open', {
      authorize_url: 'https://oauth-bank.example/authorize',
      redirect_uri: 'pocketledger://bank-return',
      window: 'system',
      state_hash: STATE_HASH,
      ...more,
    });

  it('opens in the session that the app provides, and its return goes to the page', async () => {
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

  it('is canceled in the page when the user closes it', async () => {
    await openFlow({ openAuthSession: async () => ({ outcome: 'cancelled' }) });
    await oauthOpen();
    await act(async () => undefined);
    expect(heard().at(-1)).toMatchObject({ type: 'oauth_result', payload: { cancelled: true } });
  });

  it('still links through a link that arrives after its session has ended without a result', async () => {
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

  it('opens nothing when its return arrives again as a link after the flow has ended', async () => {
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

describe('An app that was terminated while the user was at the bank', () => {
  it('continues at /continue with the return address and the token that it still has', async () => {
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

  it('continues without a token when it has none, and reports that its back end has to confirm', async () => {
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

  it("opens nothing and calls nothing for a link that is not a bank's return", async () => {
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

  it('is used once, however often the app renders, and calls the callbacks of the latest render', async () => {
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

  it('may be one that opens the app later, as long as the component is mounted', async () => {
    startedWith(null);
    const opens = new Set<(event: { url: string }) => void>();
    jest.spyOn(Linking, 'addEventListener').mockImplementation((_, listener) => {
      opens.add(listener);
      return { remove: () => opens.delete(listener) } as never;
    });
    const app = await renderApp({ children: <Listener {...callbacks()} /> });
    await act(async () => opens.forEach((open) => open({ url: RETURN })));
    expect(addressOf(webView())).toContain('/continue#');
    await app.renderAgain({});
    expect(opens.size).toBe(0);
  });

  it('is ignored when the component is gone before the system reports it', async () => {
    let report: (url: string) => void = () => undefined;
    jest.spyOn(Linking, 'getInitialURL').mockReturnValue(new Promise((done) => (report = done)));
    const app = await renderApp({ children: <Listener {...callbacks()} /> });
    await app.renderAgain({});
    await act(async () => report(RETURN));
    expect(webViews).toHaveLength(0);
  });

  it('opens nothing when it is not a return of a bank, whatever the token', async () => {
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
  /**
   * The screen of the app is rebuilt, as after a change of its activity, while the process
   * continues.
   */
  const returnToApp = async (stateId: string, baseUrl = BASE) => {
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

  it('continues with the token that its process kept, until the final callback', async () => {
    await leave();
    const back = await returnToApp(STATE_ID);
    expect(back.token).toBe(TOKEN);
    await say('success', LINKED);
    expect(back.onSuccess).toHaveBeenCalledTimes(1);
    await back.unmount();
    expect((await returnToApp(OTHER_STATE_ID)).token).toBeUndefined();
  });

  it('never sends that token to a Connect at another address', async () => {
    await leave();
    const back = await returnToApp(STATE_ID, 'https://another.example/connect');
    expect(back.token).toBeUndefined();
  });
});
