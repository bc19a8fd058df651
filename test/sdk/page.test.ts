import {
  ConnectConfigurationError,
  createConnect,
  type Connect,
  type ConnectOptions,
} from '../../packages/connect-js/src/index.js';
import { BASE_URL, exitOf, frames, HostedApp, LINK_SUCCESS, TOKEN } from './support/hosted-app.js';
import { delivered, installMessagePorts } from './support/message-ports.js';
import { recordCallbacks } from './support/recorder.js';

installMessagePorts();

describe('Connect on the page', () => {
  let recorded = recordCallbacks();
  let connect: Connect;
  let warn: jest.SpyInstance;

  const create = (options: Partial<ConnectOptions> = {}): Connect => {
    connect = createConnect({ connectBaseUrl: BASE_URL, ...recorded.callbacks, ...options });
    return connect;
  };
  const layer = (): HTMLElement | null => document.querySelector('[data-tributary-connect]');
  const press = (key: string) =>
    document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));

  beforeEach(() => {
    jest.useFakeTimers();
    recorded = recordCallbacks();
    warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    document.head.innerHTML = '';
    document.body.innerHTML = '<button id="opener">Link a bank</button><div id="place"></div>';
  });
  afterEach(() => {
    connect.destroy();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it.each([
    ['empty', ''],
    ['too long', 'a'.repeat(257)],
    ['with a space', 'sandbox ls'],
    ['with a dot', 'a.b'],
    ['with a line break', 'abc\n'],
    ['not a string', null],
  ])('throws at once for a token that is %s', (_, token) => {
    create();
    const open = () => connect.open({ linkSessionToken: token as string });
    expect(open).toThrow(ConnectConfigurationError);
    expect(frames()).toHaveLength(0);
    expect(connect.isOpen).toBe(false);
  });

  it('keeps an invalid token out of the error', () => {
    create();
    expect(() => connect.open({ linkSessionToken: 'secret token' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });

  it('accepts the longest valid token', () => {
    create().open({ linkSessionToken: `${'aZ9_-'.repeat(51)}a` });
    expect(frames()).toHaveLength(1);
  });

  it('throws at once for a missing container and for an invalid address', () => {
    expect(() => create({ container: '#nowhere' }).open({ linkSessionToken: TOKEN })).toThrow(
      ConnectConfigurationError,
    );
    expect(() =>
      create({ container: null as unknown as Element }).open({ linkSessionToken: TOKEN }),
    ).toThrow(ConnectConfigurationError);
    expect(() => createConnect({ connectBaseUrl: '/connect', onSuccess: () => undefined })).toThrow(
      ConnectConfigurationError,
    );
    expect(() =>
      createConnect({ connectBaseUrl: 'javascript:alert(1)', onSuccess: () => undefined }),
    ).toThrow(ConnectConfigurationError);
  });

  it('covers the page with a layer', () => {
    create().open({ linkSessionToken: TOKEN });
    expect(layer()?.parentElement).toBe(document.body);
    expect(layer()?.style.position).toBe('fixed');
    expect(layer()?.style.zIndex).toBe('2147483000');
  });

  it('accepts another z-index and a nonce', () => {
    create({ zIndex: 7, nonce: 'r4nd0m' }).open({ linkSessionToken: TOKEN });
    expect(layer()?.style.zIndex).toBe('7');
    expect(document.querySelector('style')?.getAttribute('nonce')).toBe('r4nd0m');
  });

  it.each([
    ['a selector', () => '#place'],
    ['an element', () => document.querySelector('#place') ?? ''],
  ])('renders into a container given as %s, without a layer', (_, container) => {
    create({ container: container() }).open({ linkSessionToken: TOKEN });
    expect(frames()[0]?.closest('#place')).not.toBeNull();
    expect(layer()?.style.position).toBe('relative');
    expect(document.documentElement.style.overflow).toBe('');
  });

  it('locks the scrolling of the page while open', async () => {
    document.documentElement.style.overflow = 'scroll';
    create().open({ linkSessionToken: TOKEN });
    expect(document.documentElement.style.overflow).toBe('hidden');
    const app = await HostedApp.ready();
    await app.say('exit', exitOf('user_closed'));
    expect(document.documentElement.style.overflow).toBe('scroll');
    document.documentElement.style.overflow = '';
  });

  it('focuses the frame when it has loaded, and the opener afterwards', async () => {
    const opener = document.querySelector<HTMLElement>('#opener');
    opener?.focus();
    create({ closeOnSuccess: true }).open({ linkSessionToken: TOKEN });
    const app = await HostedApp.ready();
    app.frame.dispatchEvent(new Event('load'));
    expect(document.activeElement).toBe(app.frame);
    await app.say('success', LINK_SUCCESS);
    expect(document.activeElement).toBe(opener);
  });

  it.each([undefined, 'after_reading', false] as const)(
    'calls onSuccess at once and leaves the last screen to the hosted app: closeOnSuccess %s',
    async (closeOnSuccess) => {
      create(closeOnSuccess === undefined ? {} : { closeOnSuccess }).open({
        linkSessionToken: TOKEN,
      });
      const app = await HostedApp.ready();
      await app.say('success', LINK_SUCCESS);
      expect(recorded.payloads('success')).toEqual([LINK_SUCCESS]);
      expect(frames()).toHaveLength(1);
      await app.say('close', {});
      expect(frames()).toEqual([]);
      expect(recorded.names()).toEqual(['ready', 'event', 'success']);
    },
  );

  it('removes the layer with onSuccess on request', async () => {
    create({ closeOnSuccess: true }).open({ linkSessionToken: TOKEN });
    await (await HostedApp.ready()).say('success', LINK_SUCCESS);
    expect(frames()).toEqual([]);
  });

  it('keeps focus and screen readers inside the layer', async () => {
    document.querySelector('#place')?.setAttribute('inert', '');
    create().open({ linkSessionToken: TOKEN });
    const inert = () =>
      [...document.body.children]
        .filter((element) => element.hasAttribute('inert'))
        .map(({ id }) => id);
    expect(inert()).toEqual(['opener', 'place']);
    await (await HostedApp.ready()).say('exit', exitOf('user_closed'));
    expect(inert()).toEqual(['place']);
  });

  it('ignores open while open, with a warning', async () => {
    create().open({ linkSessionToken: TOKEN });
    connect.open({ linkSessionToken: 'another' });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(frames()).toHaveLength(1);
    const app = HostedApp.inFrame();
    app.hello();
    expect(app.posted[0]?.message.payload['link_session_token']).toBe(TOKEN);
    await app.say('exit', exitOf('user_closed'));
    expect(recorded.payloads('exit')).toHaveLength(1);
  });

  it('opens again after a flow, also over its last screen', async () => {
    create({ closeOnSuccess: false }).open({ linkSessionToken: TOKEN });
    await (await HostedApp.ready()).say('success', LINK_SUCCESS);
    connect.open({ linkSessionToken: TOKEN });
    expect(frames()).toHaveLength(1);
    await (await HostedApp.ready()).say('success', LINK_SUCCESS);
    expect(recorded.payloads('success')).toHaveLength(2);
    expect(warn).not.toHaveBeenCalled();
  });

  it('requests the exit from the app, and ends when it confirms', async () => {
    create().open({ linkSessionToken: TOKEN });
    const app = await HostedApp.ready();
    connect.exit();
    await delivered();
    expect(app.heard).toMatchObject([{ type: 'request_exit', payload: { force: false } }]);
    jest.advanceTimersByTime(60_000);
    expect(connect.isOpen).toBe(true);
    await app.say('exit', exitOf('programmatic'));
    expect(recorded.payloads('exit')).toEqual([exitOf('programmatic')]);
  });

  it('does not wait for an app that does not confirm a forced exit', async () => {
    create().open({ linkSessionToken: TOKEN });
    const app = await HostedApp.ready();
    connect.exit({ force: true });
    await delivered();
    expect(app.heard).toMatchObject([{ type: 'request_exit', payload: { force: true } }]);
    jest.advanceTimersByTime(2_000);
    expect(recorded.payloads('exit')).toMatchObject([
      { reason: 'programmatic', session_id: LINK_SUCCESS.session_id },
    ]);
    expect(frames()).toHaveLength(0);
  });

  it('exits at once while the app is not ready for the request', () => {
    create().open({ linkSessionToken: TOKEN });
    connect.exit();
    expect(recorded.payloads('exit')).toMatchObject([{ reason: 'programmatic' }]);
    jest.advanceTimersByTime(60_000);
    expect(recorded.payloads('error')).toEqual([]);
  });

  it('treats Escape on the page as an exit', async () => {
    create().open({ linkSessionToken: TOKEN });
    press('Escape');
    expect(recorded.payloads('exit')).toMatchObject([{ reason: 'user_closed' }]);

    connect.open({ linkSessionToken: TOKEN });
    const app = await HostedApp.ready();
    press('a');
    press('Escape');
    await delivered();
    expect(app.heard).toMatchObject([{ type: 'request_exit', payload: { force: false } }]);
  });

  it('does nothing on exit while closed', () => {
    create().exit({ force: true });
    expect(recorded.calls).toEqual([]);
  });

  it('passes a new theme to the app while open, and to the next flow', async () => {
    const theme = {
      colors: { accent: '#123456', overlay: { light: 'rgba(1, 2, 3, 0.5)', dark: 'black' } },
    };
    create().open({ linkSessionToken: TOKEN });
    const app = await HostedApp.ready();
    connect.update({ theme, appearance: 'light' });
    await delivered();
    expect(app.heard).toMatchObject([{ type: 'theme', payload: { theme, appearance: 'light' } }]);

    await app.say('exit', exitOf('user_closed'));
    connect.open({ linkSessionToken: TOKEN });
    const next = HostedApp.inFrame();
    next.hello();
    expect(next.posted[0]?.message.payload['options']).toMatchObject({
      theme,
      appearance: 'light',
    });
  });

  it('darkens the page until the app draws its own backdrop', () => {
    create({
      theme: { colors: { overlay: { light: 'rgba(1, 2, 3, 0.5)', dark: 'black' } } },
      appearance: 'light',
    }).open({ linkSessionToken: TOKEN });
    expect(layer()?.style.backgroundColor).toBe('rgba(1, 2, 3, 0.5)');
    expect(layer()?.querySelector('.tributary-connect-progress')).not.toBeNull();
    HostedApp.inFrame().hello();
    expect(layer()?.style.backgroundColor).toBe('transparent');
    expect(layer()?.querySelector('.tributary-connect-progress')).toBeNull();
  });

  it('passes the options under the names of the contract', () => {
    create({
      applicationName: 'Pocket Ledger',
      locale: 'de-AT',
      device: 'mobile',
      oauthWindow: 'same',
      closeOnSuccess: false,
      appearance: 'dark',
    }).open({ linkSessionToken: TOKEN });
    const app = HostedApp.inFrame();
    app.hello();
    expect(app.posted[0]?.message.payload['options']).toEqual({
      application_name: 'Pocket Ledger',
      theme: null,
      appearance: 'dark',
      locale: 'de-AT',
      device: 'mobile',
      platform: 'web',
      close_on_success: false,
      oauth_window: 'same',
      inline: false,
      sdk: { name: 'connect-js', version: '0.1.0' },
    });
    expect(app.frame.title).toBe('Bank verbinden');
  });

  it('removes everything from the page when destroyed, and calls no callback', async () => {
    create().open({ linkSessionToken: TOKEN });
    await HostedApp.ready();
    connect.destroy();
    press('Escape');
    expect(layer()).toBeNull();
    expect(document.documentElement.style.overflow).toBe('');
    expect(recorded.names()).toEqual(['ready']);
  });
});
