import type { Page } from 'playwright-core';
import { eventually } from '../../support/assertions/eventually.js';
import { ScriptedSession } from './support/scripted-session.js';
import { afterMessagesTo, CHANNEL, describeInBrowser } from './support/stage.js';
import { ACCOUNTS, CREDENTIALS } from './support/views.js';

const INIT = { link_session_token: 'forged_token', options: {} };

describeInBrowser('Messages to the Connect frame (connect 13, check 6)', (stage) => {
  /** Posts a message to the frame from the page around it, or from another window of it. */
  const post = (
    page: Page,
    message: unknown,
    { from = 'page', withPort = true } = {},
  ): Promise<void> =>
    page.evaluate(
      ([content, sender, hasPort]) => {
        const { frame } = window as unknown as { frame: HTMLIFrameElement };
        const send = (source: Window): void => {
          // Posted from the sender's own realm, so that the sender is the source of the event.
          (
            source as unknown as {
              eval: (code: string) => (target: Window, data: unknown, ports: boolean) => void;
            }
          ).eval(
            '(target, data, ports) => target.postMessage(data, "*", ports ? [new MessageChannel().port1] : [])',
          )(frame.contentWindow as Window, content, hasPort as boolean);
        };
        if (sender === 'page') return send(window);
        const other = document.createElement('iframe');
        document.body.append(other);
        send(other.contentWindow as Window);
      },
      [message, from, withPort] as const,
    );

  const IGNORED: [string, unknown, { from?: string; withPort?: boolean }][] = [
    [
      'another channel',
      { ns: 'connect', v: 1, channel: 'channel-of-another-0000', type: 'init', payload: INIT },
      {},
    ],
    ['no channel', { ns: 'connect', v: 1, channel: '', type: 'init', payload: INIT }, {}],
    ['another version', { ns: 'connect', v: 2, channel: CHANNEL, type: 'init', payload: INIT }, {}],
    [
      'another namespace',
      { ns: 'disconnect', v: 1, channel: CHANNEL, type: 'init', payload: INIT },
      {},
    ],
    ['no payload', { ns: 'connect', v: 1, channel: CHANNEL, type: 'init' }, {}],
    ['a text as payload', { ns: 'connect', v: 1, channel: CHANNEL, type: 'init', payload: '' }, {}],
    [
      'no port',
      { ns: 'connect', v: 1, channel: CHANNEL, type: 'init', payload: INIT },
      { withPort: false },
    ],
    [
      'another window than the parent',
      { ns: 'connect', v: 1, channel: CHANNEL, type: 'init', payload: INIT },
      { from: 'other' },
    ],
    [
      'another type',
      {
        ns: 'connect',
        v: 1,
        channel: CHANNEL,
        type: 'oauth_result',
        payload: { url: 'https://evil.example/?oauth_state_id=1' },
      },
      {},
    ],
    ['no envelope', 'init', {}],
    ['an array', [{ ns: 'connect' }], {}],
  ];

  it('are ignored while they have another channel, version, namespace, type, source or form', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const { page, frame, heard } = await stage.open(session, { holdInit: true });
    await eventually(async () => expect(await heard('hello')).toHaveLength(1));
    for (const [what, message, options] of IGNORED) {
      await post(page, message, options);
      await afterMessagesTo(frame, { from: page, through: 'frame' });
      expect({ what, calls: session.calls }).toEqual({ what, calls: [] });
    }
    await page.evaluate(() => {
      (window as unknown as { sendInit: () => void }).sendInit();
    });
    await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    expect(session.callsTo('POST /session/open')[0]?.body).toMatchObject({
      link_session_token: 'token_scripted',
    });
  });

  it('start with a hello that contains only the channel and the version, and never put the token in an address', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const { page, frame, heard } = await stage.open(session);
    await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    expect((await heard('hello'))[0]).toEqual({
      ns: 'connect',
      v: 1,
      channel: CHANNEL,
      type: 'hello',
      payload: { app_version: expect.any(String) },
    });
    const [open] = session.callsTo('POST /session/open');
    expect(open?.body).toEqual({
      link_session_token: 'token_scripted',
      request_id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      origin: new URL(page.url()).origin,
      platform: 'web',
      device: 'desktop',
      locale: 'en-US',
      sdk: { name: 'scripted', version: '1' },
    });
    expect(frame.url()).not.toContain('token_scripted');
    expect(
      await frame.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]),
    ).toEqual([0, 0, '']);
  });

  it('are ignored when they repeat init', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    const { page, frame } = await stage.open(session);
    await frame.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
    await post(page, { ns: 'connect', v: 1, channel: CHANNEL, type: 'init', payload: INIT });
    await afterMessagesTo(frame, { from: page, through: 'frame' });
    expect(session.callsTo('POST /session/open')).toHaveLength(1);
  });

  it('are accepted after init only through the port and with the right channel', async () => {
    const session = new ScriptedSession(ACCOUNTS);
    const { page, frame, heard, say } = await stage.open(session);
    await frame.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
    await post(page, {
      ns: 'connect',
      v: 1,
      channel: CHANNEL,
      type: 'request_exit',
      payload: { force: true },
    });
    await page.evaluate(() => {
      const { port } = window as unknown as { port: MessagePort };
      port.postMessage({
        ns: 'connect',
        v: 1,
        channel: 'channel-of-another-0000',
        type: 'request_exit',
        payload: { force: true },
      });
      port.postMessage({
        ns: 'connect',
        v: 1,
        channel: '',
        type: 'request_exit',
        payload: { force: true },
      });
    });
    await say('never_heard_of', { force: true });
    await afterMessagesTo(frame, { from: page, through: 'frame' });
    // A port keeps the order: the response to this request follows those to earlier requests.
    await say('request_exit', { force: false });
    await frame.getByRole('alertdialog').waitFor();
    expect(await heard('exit')).toEqual([]);
    await say('request_exit', { force: true });
    await eventually(async () =>
      expect((await heard('exit')).map(({ payload }) => payload['reason'])).toEqual([
        'programmatic',
      ]),
    );
  });

  it('are not needed for the bare address, which shows an explanation and makes no call', async () => {
    const session = new ScriptedSession(CREDENTIALS);
    stage.play(session);
    const page = await stage.browser.newPage();
    for (const entry of ['start', 'continue', 'start#channel=abcdefghijklmnopqrstuv']) {
      await page.goto('about:blank');
      await page.goto(`${stage.connect.origin}/connect/${entry}`);
      await page.getByRole('heading', { name: 'Open this from your app' }).waitFor();
    }
    expect(session.calls).toEqual([]);
    await page.close();
  });
});
