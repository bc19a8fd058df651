import {
  createConnect,
  type Connect,
  type ConnectOptions,
} from '../../packages/connect-js/src/index.js';
import {
  BANK_DOWN,
  BASE_URL,
  eventOf,
  exitOf,
  frames,
  HostedApp,
  LINK_SUCCESS,
  RELINK_SUCCESS,
  TOKEN,
} from './support/hosted-app.js';
import { installMessagePorts } from './support/message-ports.js';
import { recordCallbacks } from './support/recorder.js';

installMessagePorts();

describe('The callbacks of a flow', () => {
  let recorded = recordCallbacks();
  let connect: Connect;

  const opened = (
    options: Partial<ConnectOptions> = {},
    mode?: 'link' | 'relink',
  ): Promise<HostedApp> => {
    connect = createConnect({ connectBaseUrl: BASE_URL, ...recorded.callbacks, ...options });
    connect.open({ linkSessionToken: TOKEN });
    return HostedApp.ready(mode);
  };

  beforeEach(() => {
    recorded = recordCallbacks();
  });
  afterEach(() => {
    connect.destroy();
    jest.restoreAllMocks();
  });

  it('report a new link with its token, after the closing event', async () => {
    const app = await opened({ closeOnSuccess: true });
    await app.say('event', eventOf('open'));
    await app.say('event', eventOf('success'));
    await app.say('success', LINK_SUCCESS);
    expect(recorded.calls).toEqual([
      ['ready', undefined],
      ['event', eventOf('open')],
      ['event', eventOf('success')],
      ['success', LINK_SUCCESS],
    ]);
    expect(frames()).toHaveLength(0);
    expect(connect.isOpen).toBe(false);
  });

  // connect 4: a relink has no such member.
  it('report a repaired link without a token', async () => {
    const app = await opened({}, 'relink');
    await app.say('success', RELINK_SUCCESS);
    const [success] = recorded.payloads('success');
    expect(success).toEqual(RELINK_SUCCESS);
    expect(success).not.toHaveProperty('exchangeable_token');
    expect(recorded.payloads('event')).toMatchObject([
      {
        name: 'success',
        meta: { link_type: 'relink', link_session_id: RELINK_SUCCESS.session_id },
      },
    ]);
  });

  it.each([
    ['success, then exit', ['success', 'exit'], 'success'],
    ['success twice', ['success', 'success'], 'success'],
    ['exit, then success', ['exit', 'success'], 'exit'],
    ['exit twice', ['exit', 'exit'], 'exit'],
    ['success, then close', ['success', 'close'], 'success'],
  ])('include exactly one final callback after %s', async (_, types, final) => {
    // The last screen stays, so that something can receive the second message.
    const app = await opened({ closeOnSuccess: false });
    for (const type of types)
      await app.say(type, { success: LINK_SUCCESS, exit: exitOf('moved') }[type]);
    expect(recorded.names().filter((name) => name === 'success' || name === 'exit')).toEqual([
      final,
    ]);
  });

  it('are not called after the final callback', async () => {
    const app = await opened({ closeOnSuccess: false });
    await app.say('success', LINK_SUCCESS);
    const before = recorded.calls.length;
    await app.say('event', eventOf('change_screen'));
    await app.say('error', BANK_DOWN);
    await app.say('ready', { session_id: 'ses_2', mode: 'link' });
    expect(recorded.calls).toHaveLength(before);
  });

  it('include a closing event that did not arrive, and no duplicate of one that did', async () => {
    const app = await opened();
    await app.say('exit', exitOf('user_closed'));
    expect(recorded.names()).toEqual(['ready', 'event', 'exit']);
    expect(recorded.payloads('event')).toMatchObject([
      {
        name: 'exit',
        properties: { reason: 'user_closed' },
        meta: { link_type: 'link', link_session_id: LINK_SUCCESS.session_id },
      },
    ]);
  });

  it('report every error, and end the flow with the same object', async () => {
    const app = await opened();
    await app.say('error', { ...BANK_DOWN, request_id: 'req_0' });
    await app.say('error', BANK_DOWN);
    expect(connect.isOpen).toBe(true);
    await app.say('exit', exitOf('error', BANK_DOWN));
    const errors = recorded.payloads('error');
    const [exit] = recorded.payloads('exit') as { error: unknown }[];
    expect(errors).toHaveLength(2);
    expect(exit?.error).toBe(errors[1]);
  });

  it('report the error of an exit when it was not reported before', async () => {
    const app = await opened();
    await app.say('exit', exitOf('error', BANK_DOWN));
    expect(recorded.names()).toEqual(['ready', 'error', 'event', 'exit']);
    expect(recorded.payloads('error')).toEqual([BANK_DOWN]);
  });

  it('treat a close without a result as an exit', async () => {
    const app = await opened();
    await app.say('close');
    expect(recorded.payloads('exit')).toEqual([exitOf('user_closed')]);
    expect(frames()).toHaveLength(0);
  });

  it('keep the success screen until the user closes it, when the app requests that', async () => {
    const app = await opened({ closeOnSuccess: false });
    await app.say('success', LINK_SUCCESS);
    expect(recorded.payloads('success')).toEqual([LINK_SUCCESS]);
    expect(frames()).toHaveLength(1);
    await app.say('close');
    expect(frames()).toHaveLength(0);
    expect(recorded.payloads('exit')).toEqual([]);
  });

  it('leave the "moved" screen to the end user', async () => {
    const app = await opened();
    await app.say('exit', exitOf('moved'));
    expect(recorded.payloads('exit')).toEqual([exitOf('moved')]);
    expect(frames()).toHaveLength(1);
    await app.say('close');
    expect(frames()).toHaveLength(0);
    expect(recorded.payloads('exit')).toHaveLength(1);
  });

  it('are reported when they throw, and the flow continues', async () => {
    const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken = () => {
      throw new Error('broken callback');
    };
    const app = await opened({ onReady: broken, onEvent: broken, onError: broken, onExit: broken });
    await app.say('event', eventOf('open'));
    await app.say('error', BANK_DOWN);
    await app.say('exit', exitOf('user_closed'));
    // The callbacks: ready, two events, error, exit.
    expect(report).toHaveBeenCalledTimes(5);
    expect(frames()).toHaveLength(0);
  });

  it('are reported when their promise rejects', async () => {
    const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const app = await opened({
      onSuccess: (() => Promise.reject(new Error('broken callback'))) as () => void,
    });
    await app.say('success', LINK_SUCCESS);
    expect(report).toHaveBeenCalledTimes(1);
  });

  it('are always the latest ones', async () => {
    const app = await opened();
    const newer = recordCallbacks();
    connect.update(newer.callbacks);
    await app.say('success', LINK_SUCCESS);
    expect(recorded.names()).toEqual(['ready']);
    expect(newer.names()).toEqual(['event', 'success']);
  });

  it('may end the flow, or start the next one', async () => {
    const app = await opened({ onEvent: () => connect.destroy() });
    await app.say('success', LINK_SUCCESS);
    expect(recorded.names()).toEqual(['ready']);

    const again = await opened({ onExit: () => connect.open({ linkSessionToken: TOKEN }) });
    await again.say('exit', exitOf('user_closed'));
    expect(frames()).toHaveLength(1);
    expect(connect.isOpen).toBe(true);
  });
});
