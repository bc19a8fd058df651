import { act, waitFor } from '@testing-library/react-native';
import type { OpenAuthSession } from '../src/index.js';
import { ChromiumWebViews, LAN_HOST } from './support/chromium-web-views';
import { browserPath, startHostedApp, type HostedApp } from './support/hosted-app';
import { callbacks, renderApp, startProcess, TOKEN } from './support/render-app';
import { answerQuestions } from './support/service';
import { forgetWebViews, webView } from './support/web-view';

const STATE_ID = '0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77';
const RETURN = `pocketledger://bank-return?oauth_state_id=${STATE_ID}`;
const WITHIN = { timeout: 20_000 };

if (browserPath === undefined)
  process.stderr.write(
    'SKIPPED: React Native with the hosted app. BROWSER_PATH can name a Chromium.\n',
  );

(browserPath === undefined ? describe.skip : describe)('The hosted app in React Native', () => {
  let app: HostedApp;
  let phone: ChromiumWebViews;
  beforeAll(async () => {
    // The page's actions are not calls of the test that could be wrapped.
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
    [app, phone] = await Promise.all([startHostedApp(), ChromiumWebViews.start()]);
    await warmUp();
  }, 240_000);

  /**
   * Loads the modules that the first flow would load while its time limit runs: React Native's
   * modal, and the page in Chromium.
   */
  async function warmUp(): Promise<void> {
    const first = await open('accounts');
    await first.present();
    await first.unmount();
    await phone.visit(`${app.connect}/connect/start`);
  }

  beforeEach(async () => {
    forgetWebViews();
    startProcess();
    answerQuestions();
    await phone.begin();
  });
  afterAll(async () => {
    await phone?.stop();
    app?.stop();
  });

  async function open(
    story: string,
    { openAuthSession, isLan = false }: { openAuthSession?: OpenAuthSession; isLan?: boolean } = {},
  ) {
    await app.play(story);
    const heard = callbacks();
    const connect = isLan ? app.connect.replace('127.0.0.1', LAN_HOST) : app.connect;
    const rendered = await renderApp({ baseUrl: `${connect}/connect`, openAuthSession });
    return {
      ...rendered,
      ...heard,
      present: () =>
        rendered.use((it) =>
          it.presentLinkFlow({ linkSessionToken: TOKEN, locale: 'en', ...heard }),
        ),
      continueFlow: (token?: string) =>
        rendered.use((it) =>
          it.continueFlow({
            url: RETURN,
            locale: 'en',
            ...(token === undefined ? {} : { linkSessionToken: token }),
            ...heard,
          }),
        ),
    };
  }

  const press = async (name: string): Promise<void> =>
    (await phone.page).getByRole('button', { name }).click();
  const heading = async (name: string): Promise<void> =>
    (await phone.page).getByRole('heading', { name }).waitFor();

  it('links: the callbacks of a success, with the shapes of the contract', async () => {
    const { present, onSuccess, onExit, onEvent, onReady } = await open('accounts');
    await present();
    await press('Share 2 accounts');
    await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1), WITHIN);
    expect(onSuccess.mock.calls[0][0]).toMatchObject({
      mode: 'link',
      exchangeable_token: 'sandbox_xt_scripted',
      accounts: [{ account_id: 'acc_1' }, { account_id: 'acc_2' }],
    });
    expect(onReady).toHaveBeenCalledTimes(1);
    expect(onExit).not.toHaveBeenCalled();
    const events = onEvent.mock.calls.map(([event]) => event.name);
    expect(events[0]).toBe('open');
    expect(events.at(-1)).toBe('success');
    expect(JSON.stringify(onEvent.mock.calls)).not.toContain(TOKEN);
  });

  it('relinks without a token in the result', async () => {
    const { present, onSuccess } = await open('relink');
    await present();
    await press('Share 2 accounts');
    await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1), WITHIN);
    expect(onSuccess.mock.calls[0][0]).not.toHaveProperty('exchangeable_token');
  });

  it('exits when the user closes it', async () => {
    const { present, onExit, onSuccess } = await open('credentials');
    await present();
    await heading('Sign in to your bank');
    await press('Close');
    await waitFor(() => expect(onExit).toHaveBeenCalledTimes(1), WITHIN);
    expect(onExit.mock.calls[0][0]).toMatchObject({ reason: 'user_closed', error: null });
    expect(onSuccess).not.toHaveBeenCalled();
  });

  it.each([
    ['a secure origin', false],
    ['the address of a developer’s computer, which is not secure', true],
  ])("completes a bank's own login from %s", async (_, isLan) => {
    const opened: string[] = [];
    const { present, onSuccess } = await open('oauth', {
      isLan,
      openAuthSession: async (address) => {
        opened.push(address);
        return { outcome: 'returned', url: RETURN };
      },
    });
    await present();
    await press('Continue to OAuth Bank');
    await heading('Choose accounts to share');
    await press('Share 2 accounts');
    await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1), WITHIN);
    expect(opened).toEqual(['https://oauth-bank.example/authorize']);
  });

  it('shows the bank’s login again after the user has canceled it', async () => {
    const { present, onExit } = await open('oauth', {
      openAuthSession: async () => ({ outcome: 'cancelled' }),
    });
    await present();
    await press('Continue to OAuth Bank');
    await waitFor(async () => {
      const steps = (await app.calls()).filter(({ path }) => path === '/session/step');
      expect(steps[0]?.body).toMatchObject({ input: { kind: 'redirect', cancel: true } });
    }, WITHIN);
    await (await phone.page).getByRole('button', { name: 'Continue to OAuth Bank' }).waitFor();
    expect(onExit).not.toHaveBeenCalled();
  });

  it.each([
    ['with the token', TOKEN],
    ['without the token', undefined],
  ])(
    'continues %s in an app that was terminated while the user was at the bank',
    async (_, token) => {
      const { continueFlow, onSuccess } = await open('resumed');
      await continueFlow(token);
      await press('Allow');
      await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1), WITHIN);
      const resumed = (await app.calls()).find(({ path }) => path === '/session/resume');
      expect(resumed?.body).toMatchObject({ url: RETURN, platform: 'react-native' });
    },
  );

  it('explains a link that belongs to someone else, and can be closed', async () => {
    const { continueFlow, onError, onExit, onSuccess } = await open('someone-elses-link');
    await continueFlow();
    await waitFor(() => expect(onError).toHaveBeenCalled(), WITHIN);
    expect(onError.mock.calls[0][0]).toMatchObject({
      error_id: 'connect_error.oauth_state_invalid',
    });
    await heading('We couldn’t complete your return from the bank');
    await press('Close');
    await waitFor(() => expect(onExit).toHaveBeenCalledTimes(1), WITHIN);
    expect(onSuccess).not.toHaveBeenCalled();
  });

  it('continues when the system terminated the page while the bank was open', async () => {
    let returnToApp: (end: { outcome: 'returned'; url: string }) => void = () => undefined;
    const { present, onSuccess } = await open('oauth', {
      openAuthSession: () => new Promise((resolve) => (returnToApp = resolve)),
    });
    await present();
    await press('Continue to OAuth Bank');
    await heading('Finish in your bank’s window');
    await act(async () => webView().props.onContentProcessDidTerminate?.({} as never));
    await heading('Finish in your bank’s window');
    await app.play('resumed');
    returnToApp({ outcome: 'returned', url: RETURN });
    await waitFor(async () => {
      const calls = await app.calls();
      expect(calls.map(({ path }) => path)).toContain('/session/resume');
    }, WITHIN);
    await press('Allow');
    await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1), WITHIN);
  });
});
