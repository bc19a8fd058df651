import { createConnect, type Connect } from '../../packages/connect-js/src/index.js';
import {
  BASE_URL,
  envelope,
  eventOf,
  exitOf,
  frames,
  HostedApp,
  LINK_SUCCESS,
  ORIGIN,
  TOKEN,
} from './support/hosted-app.js';
import { delivered, installMessagePorts, openBroadcastChannels } from './support/message-ports.js';
import { recordCallbacks } from './support/recorder.js';

installMessagePorts();

describe('The handshake with the hosted app', () => {
  let recorded = recordCallbacks();
  let connect: Connect;

  beforeEach(() => {
    jest.useFakeTimers();
    recorded = recordCallbacks();
    connect = createConnect({ connectBaseUrl: `${BASE_URL}/`, ...recorded.callbacks });
    connect.open({ linkSessionToken: TOKEN });
  });

  afterEach(() => {
    connect.destroy();
    jest.useRealTimers();
    expect(frames()).toHaveLength(0);
    expect(openBroadcastChannels()).toBe(0);
  });

  it('creates a frame with the attributes of the contract, and no token in its address', () => {
    const app = HostedApp.inFrame();
    expect(app.frame.src).toBe(`${BASE_URL}/start#channel=${app.channel}`);
    expect(app.channel).toMatch(/^[A-Za-z0-9_-]{22,}$/);
    expect(app.frame.src).not.toContain(TOKEN);
    expect(app.frame.getAttribute('sandbox')).toBe(
      'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox',
    );
    expect(app.frame.getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(app.frame.getAttribute('allow')).toBe('');
    expect(app.frame.title).not.toBe('');
  });

  it('responds to hello with init to exactly that origin, and transfers a port', () => {
    const app = HostedApp.inFrame();
    app.hello();
    expect(app.posted).toHaveLength(1);
    expect(app.posted[0]).toMatchObject({
      targetOrigin: ORIGIN,
      message: {
        ns: 'connect',
        v: 1,
        channel: app.channel,
        type: 'init',
        payload: {
          link_session_token: TOKEN,
          options: {
            platform: 'web',
            close_on_success: 'after_reading',
            oauth_window: 'popup',
            appearance: 'system',
            sdk: { name: 'connect-js' },
          },
        },
      },
    });
    expect(app.posted[0]?.ports).toHaveLength(1);
    expect(app.posted[0]?.message.payload).not.toHaveProperty('continue_url');
  });

  // connect 13, check 6
  it.each<[string, (app: HostedApp) => Parameters<HostedApp['hello']>[0]]>([
    ['a foreign origin', () => ({ origin: 'https://evil.example' })],
    ['an origin with the same beginning', () => ({ origin: `${ORIGIN}.evil.example` })],
    ['a foreign window', () => ({ source: window })],
    ['a missing source window', () => ({ source: null })],
    ['a wrong channel', () => ({ message: envelope('AAAAAAAAAAAAAAAAAAAAAA', 'hello') })],
    ['an empty channel', () => ({ message: envelope('', 'hello') })],
    [
      'another namespace',
      (app) => ({ message: { ...envelope(app.channel, 'hello'), ns: 'other' } }),
    ],
    ['another version', (app) => ({ message: { ...envelope(app.channel, 'hello'), v: 2 } })],
    [
      'no payload',
      (app) => ({ message: { ...envelope(app.channel, 'hello'), payload: undefined } }),
    ],
    [
      'a list as payload',
      (app) => ({ message: { ...envelope(app.channel, 'hello'), payload: [] } }),
    ],
    ['a string', (app) => ({ message: JSON.stringify(envelope(app.channel, 'hello')) })],
    ['a null message', () => ({ message: null })],
    ['another type', (app) => ({ message: envelope(app.channel, 'ready') })],
  ])('ignores a hello from %s', (_, forge) => {
    const app = HostedApp.inFrame();
    app.hello(forge(app));
    expect(app.posted).toHaveLength(0);
    expect(recorded.calls).toEqual([]);
  });

  it.each(['success', 'exit', 'event', 'error', 'close', 'oauth_open'])(
    'ignores %s outside the port',
    (type) => {
      const app = HostedApp.inFrame();
      const message = envelope(app.channel, type, {
        ...LINK_SUCCESS,
        ...exitOf('user_closed'),
        ...eventOf('open'),
      });
      app.hello({ message });
      app.hello();
      app.hello({ message });
      expect(recorded.calls).toEqual([]);
      expect(frames()).toHaveLength(1);
    },
  );

  it('ignores a wrong channel, an unknown type and an invalid payload on the port', async () => {
    const app = await HostedApp.ready();
    await app.say('success', LINK_SUCCESS, 'AAAAAAAAAAAAAAAAAAAAAA');
    for (const type of ['later_version', 'constructor', '__proto__', 'toString'])
      await app.say(type, LINK_SUCCESS);
    await app.say('success', { mode: 'link' });
    await app.say('exit', {});
    await app.say('event', {});
    await app.say('error', {});
    expect(recorded.names()).toEqual(['ready']);
  });

  it('transfers a new port to a reloaded frame and closes the old one', async () => {
    const before = await HostedApp.ready();
    const after = HostedApp.inFrame();
    after.hello();
    await before.say('exit', exitOf('user_closed'));
    expect(recorded.names()).toEqual(['ready']);
    await after.say('success', LINK_SUCCESS);
    expect(recorded.payloads('success')).toEqual([LINK_SUCCESS]);
  });

  it('has no time limit once hello has arrived', async () => {
    await HostedApp.ready();
    jest.advanceTimersByTime(3_600_000);
    await delivered();
    expect(recorded.names()).toEqual(['ready']);
  });

  it('ignores all messages after destroy', async () => {
    const app = await HostedApp.ready();
    connect.destroy();
    await app.say('success', LINK_SUCCESS);
    expect(recorded.names()).toEqual(['ready']);
  });
});
