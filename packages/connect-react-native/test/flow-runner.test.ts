import { Platform } from 'react-native';
import { ConnectStore } from '../src/connect-store';
import { FlowRunner } from '../src/flow-runner';
import { callbacks, startProcess, TOKEN } from './support/render-app';

const BASE = 'https://api.example/connect';

/** An open flow without a screen, and the page that speaks to it. */
function openRunner() {
  startProcess();
  const heard = callbacks();
  const browser = { open: jest.fn(() => new Promise<never>(() => undefined)), close: jest.fn() };
  const flow = new FlowRunner({
    baseAddress: BASE,
    look: {},
    callbacks: heard,
    browser,
    isResumable: async () => false,
    onRemoved: () => undefined,
  });
  flow.present(TOKEN);
  const channel = /channel=(.*)$/.exec(flow.view().address ?? '')?.[1];
  const say = (type: string, payload: object) =>
    flow.message(JSON.stringify({ ns: 'connect', v: 1, channel, type, payload }), BASE);
  say('hello', {});
  return { flow, heard, browser, say };
}

describe('A flow that is removed in one of its callbacks', () => {
  it('calls none of the callbacks that were to follow', () => {
    const { flow, heard, say } = openRunner();
    heard.onEvent.mockImplementation(() => flow.destroy());
    say('exit', { reason: 'user_closed' });
    expect(heard.onEvent).toHaveBeenCalledTimes(1);
    expect(heard.onExit).not.toHaveBeenCalled();
  });
});

describe('A callback that calls into its flow', () => {
  it('returns before the next callback is called, and what it caused comes last', () => {
    const { flow, heard, say } = openRunner();
    const order: string[] = [];
    flow.attach((script) => order.push(/request_exit|theme/.exec(script)?.[0] ?? 'other'));
    heard.onError.mockImplementation(() => {
      flow.restyle({ appearance: 'dark' });
      if (order.length === 0) flow.present('lst_2');
      order.push('onError returns');
    });
    heard.onExit.mockImplementation(() => order.push('onExit'));
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => order.push('warning'));
    const error = { error_id: 'connect_error.internal' };
    say('error', error);
    expect(order).toEqual(['onError returns', 'theme', 'warning']);
    say('exit', { reason: 'error', error: { error_id: 'connect_error.timeout' } });
    expect(order.slice(3)).toEqual(['onError returns', 'onExit']);
    expect(warn.mock.calls[0]).toEqual([expect.stringMatching(/^Connect: .*open already/)]);
    warn.mockRestore();
  });
});

describe("A second login at a bank while one's page is open", () => {
  it('closes the first page', () => {
    const { browser, say } = openRunner();
    const authorize_url = 'https://bank.example/login';
    const redirect_uri = 'pocketledger://bank-return';
    say('oauth_open', { authorize_url, redirect_uri });
    expect(browser.close).not.toHaveBeenCalled();
    say('oauth_open', { authorize_url, redirect_uri });
    expect(browser.close).toHaveBeenCalledTimes(1);
    expect(browser.open.mock.calls).toEqual([
      [authorize_url, redirect_uri, 'scheme'],
      [authorize_url, redirect_uri, 'scheme'],
    ]);
  });
});

describe('A login whose return is an https address', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['ios', '17.4', 'https'],
    ['ios', '17.3', 'browser'],
    ['android', 35, 'browser'],
  ] as const)('on %s %s opens by the way %s', (system, systemVersion, way) => {
    jest.replaceProperty(Platform, 'OS', system);
    jest.spyOn(Platform, 'Version', 'get').mockReturnValue(systemVersion as never);
    const { browser, say } = openRunner();
    const authorize_url = 'https://bank.example/login';
    const redirect_uri = 'https://app.example/bank-return';
    say('oauth_open', { authorize_url, redirect_uri });
    expect(browser.open.mock.calls).toEqual([[authorize_url, redirect_uri, way]]);
  });
});

describe('A listener that has stopped listening', () => {
  it('gets no further view of a flow, and of no further flow of an app', () => {
    const { flow, browser } = openRunner();
    const store = new ConnectStore(BASE, browser);
    const [ofFlow, ofStore] = [jest.fn(), jest.fn()];
    const stops = [flow.subscribe(ofFlow), store.subscribe(ofStore)];
    flow.restyle({ appearance: 'dark' });
    store.presentLinkFlow({ linkSessionToken: TOKEN, ...callbacks() });
    expect(ofFlow).toHaveBeenCalled();
    expect(ofStore).toHaveBeenCalled();
    for (const stop of stops) stop();
    const calls = [ofFlow.mock.calls.length, ofStore.mock.calls.length];
    flow.restyle({ appearance: 'light' });
    store.destroy();
    expect([ofFlow.mock.calls.length, ofStore.mock.calls.length]).toEqual(calls);
    flow.destroy();
  });
});
