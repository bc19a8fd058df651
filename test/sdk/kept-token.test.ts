import {
  createConnect,
  type Connect,
  type ConnectOptions,
} from '../../packages/connect-js/src/index.js';
import {
  BASE_URL,
  exitOf,
  HostedApp,
  LINK_SUCCESS,
  RETURN_URL,
  TOKEN,
} from './support/hosted-app.js';
import { delivered, installMessagePorts } from './support/message-ports.js';
import { recordCallbacks } from './support/recorder.js';

installMessagePorts();

const OTHER_TOKEN = 'sandbox_ls_of-another-flow';
const refusal = (name: string) => ({ error_id: `connect_error.${name}`, displayed_message: '' });

let pages: Connect[] = [];

/** Connect on a page of this tab. The storage of the tab is that of the test's window. */
const onPage = (options: Partial<ConnectOptions> = {}): Connect => {
  const page = createConnect({
    connectBaseUrl: BASE_URL,
    ...recordCallbacks().callbacks,
    ...options,
  });
  pages.push(page);
  return page;
};

/** The page is left without any call, as when the tab goes to the bank. */
const leave = (): void => {
  for (const page of pages) page.destroy();
  pages = [];
};

const open = async (token = TOKEN, options: Partial<ConnectOptions> = {}): Promise<HostedApp> => {
  onPage(options).open({ linkSessionToken: token });
  return HostedApp.ready();
};

/**
 * The tab has returned from the bank. Returns the data that the hosted app receives at `/continue`.
 */
const returnToApp = async (
  linkSessionToken?: string,
  options: Partial<ConnectOptions> = {},
): Promise<{ app: HostedApp; token: unknown }> => {
  leave();
  onPage(options).continue({
    url: RETURN_URL,
    ...(linkSessionToken === undefined ? {} : { linkSessionToken }),
  });
  await delivered();
  jest.advanceTimersByTime(1_500);
  await delivered();
  const app = HostedApp.inFrame();
  app.hello();
  return { app, token: app.posted[0]?.message.payload['link_session_token'] };
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  leave();
  jest.restoreAllMocks();
  window.sessionStorage.clear();
  jest.useRealTimers();
});

describe('A tab that goes to the bank and returns', () => {
  it('continues with the token of the flow that it opened, though the app passes none', async () => {
    await open();
    expect((await returnToApp()).token).toBe(TOKEN);
  });

  it('continues without a token when no flow was opened in it', async () => {
    expect((await returnToApp()).token).toBeUndefined();
  });

  it('continues with the token that the app passes, and keeps that one for the next return', async () => {
    await open();
    expect((await returnToApp(OTHER_TOKEN)).token).toBe(OTHER_TOKEN);
    expect((await returnToApp()).token).toBe(OTHER_TOKEN);
  });

  it('keeps the token when it goes to the bank a second time', async () => {
    await open();
    await returnToApp();
    expect((await returnToApp()).token).toBe(TOKEN);
  });

  it('continues the newest flow when an earlier one was left without an end', async () => {
    await open(OTHER_TOKEN);
    leave();
    await open();
    expect((await returnToApp()).token).toBe(TOKEN);
  });

  it('sends the token only in init', async () => {
    const page = new BroadcastChannel('connect-oauth');
    const heard: unknown[] = [];
    page.onmessage = ({ data }) => heard.push(data);
    await open();
    const { app } = await returnToApp();
    expect(heard).toHaveLength(1);
    expect(JSON.stringify([heard, app.heard, app.frame.src])).not.toContain(TOKEN);
    page.close();
  });

  it('never sends the token to a Connect at another address', async () => {
    await open();
    const { token } = await returnToApp(undefined, { connectBaseUrl: `${BASE_URL}-of-another` });
    expect(token).toBeUndefined();
  });
});

describe('A token that a tab keeps', () => {
  it.each<[string, (app: HostedApp) => Promise<void>]>([
    ['success', (app) => app.say('success', LINK_SUCCESS)],
    ['exit', (app) => app.say('exit', exitOf('user_closed'))],
    ['exit to another window', (app) => app.say('exit', exitOf('moved'))],
  ])('is discarded at the %s of its flow', async (_, end) => {
    await end(await open());
    expect((await returnToApp()).token).toBeUndefined();
  });

  it.each(['oauth_state_invalid', 'invalid_session_token', 'session_closed', 'session_expired'])(
    'is discarded when the service refuses it with %s',
    async (name) => {
      await open();
      const { app } = await returnToApp();
      await app.say('error', refusal(name));
      expect((await returnToApp()).token).toBeUndefined();
    },
  );

  it('stays after an error of the bank, and after an address that is not a return', async () => {
    const app = await open();
    await app.say('error', refusal('institution_down'));
    leave();
    onPage().continue({ url: 'https://app.example/bank-return' });
    expect((await returnToApp()).token).toBe(TOKEN);
  });

  it('is discarded before the callback, which may open the next flow', async () => {
    const connect: Connect = onPage({
      onSuccess: () => connect.open({ linkSessionToken: OTHER_TOKEN }),
    });
    connect.open({ linkSessionToken: TOKEN });
    await (await HostedApp.ready()).say('success', LINK_SUCCESS);
    expect((await returnToApp()).token).toBe(OTHER_TOKEN);
  });

  it('outlives the end of an earlier flow on the same page', async () => {
    const earlier = await open(OTHER_TOKEN);
    await open();
    await earlier.say('exit', exitOf('user_closed'));
    expect((await returnToApp()).token).toBe(TOKEN);
  });

  it('is discarded by a window that handed its return over', async () => {
    jest.spyOn(window, 'close').mockImplementation(() => undefined);
    window.sessionStorage.setItem('tributary-connect-flow', `${TOKEN} ${BASE_URL}`);
    const started = new BroadcastChannel('connect-oauth');
    started.onmessage = ({ data }: MessageEvent<{ type: string }>) => {
      if (data.type === 'resume')
        started.postMessage({
          ns: 'connect',
          v: 1,
          channel: '',
          type: 'resume_ack',
          payload: { oauth_state_id: new URL(RETURN_URL).searchParams.get('oauth_state_id') },
        });
    };
    onPage().continue({ url: RETURN_URL });
    await delivered();
    started.close();
    expect(window.close).toHaveBeenCalledTimes(1);
    expect((await returnToApp()).token).toBeUndefined();
  });

  it('is one value, of the newest flow', async () => {
    await open(OTHER_TOKEN);
    leave();
    await open();
    expect(Object.values(window.sessionStorage)).toEqual([`${TOKEN} ${BASE_URL}`]);
  });

  it.each([
    ['an empty value', ''],
    ['a value without a base address', TOKEN],
    ['a token with other characters', `<script> ${BASE_URL}`],
    ['a token that is too long', `${'a'.repeat(257)} ${BASE_URL}`],
  ])('is read as absent from %s', async (_, value) => {
    window.sessionStorage.setItem('tributary-connect-flow', value);
    expect((await returnToApp()).token).toBeUndefined();
  });

  it('is optional: without working storage, a flow opens and continues', async () => {
    jest.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    const app = await open();
    await app.say('success', LINK_SUCCESS);
    expect((await returnToApp()).token).toBeUndefined();
  });
});
