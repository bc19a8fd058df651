import { createRef, useEffect, type ReactNode } from 'react';
import {
  ConnectButton,
  OAuthReturn,
  type UseConnectOptions,
  useConnect,
  type UseConnectResult,
} from '../../packages/connect-react/src/index.js';
import {
  BANK_DOWN,
  BASE_URL,
  envelope,
  exitOf,
  frames,
  HostedApp,
  LINK_SUCCESS,
  RETURN_URL,
  STATE_ID,
  TOKEN,
} from './support/hosted-app.js';
import { delivered, installMessagePorts, openBroadcastChannels } from './support/message-ports.js';
import { recordCallbacks } from './support/recorder.js';
import { doing, rendered, type Rendered } from './support/rendered.js';

let recorded = recordCallbacks();
let page: Rendered;
/** The result of the hook in the last render of `Page`. */
let connect: UseConnectResult;
let warn: jest.SpiedFunction<typeof console.warn>;

/** Records the callbacks of each test, which must leave no frame and no channel behind. */
function startReactPages(): void {
  installMessagePorts();

  beforeEach(() => {
    recorded = recordCallbacks();
    warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    await page.unmount();
    expect(frames()).toHaveLength(0);
    expect(openBroadcastChannels()).toBe(0);
    window.sessionStorage.clear();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
}

async function show(node: ReactNode): Promise<void> {
  page = await rendered(node);
}

function Page({
  openOnMount = false,
  ...options
}: Partial<UseConnectOptions> & { openOnMount?: boolean }): ReactNode {
  connect = useConnect({
    connectBaseUrl: BASE_URL,
    linkSessionToken: TOKEN,
    ...recorded.callbacks,
    ...options,
  });
  const { open } = connect;
  useEffect(() => {
    if (openOnMount) open();
  }, [openOnMount, open]);
  return connect.status;
}

async function readyApp(): Promise<HostedApp> {
  let app: HostedApp | undefined;
  await doing(async () => {
    app = await HostedApp.ready();
  });
  return app as HostedApp;
}

startReactPages();

describe('useConnect', () => {
  it('goes from idle to opening, open and success', async () => {
    await show(<Page />);
    expect(page.element.textContent).toBe('idle');
    expect(connect.ready).toBe(true);
    await doing(() => connect.open());
    expect(page.element.textContent).toBe('opening');
    const app = await readyApp();
    expect(page.element.textContent).toBe('open');
    await doing(() => app.say('success', LINK_SUCCESS));
    expect(page.element.textContent).toBe('success');
    expect(recorded.payloads('success')).toEqual([LINK_SUCCESS]);
    expect(app.posted[0]?.message.payload['options']).toMatchObject({
      sdk: { name: 'connect-react' },
    });
  });

  it('returns the last error of the latest flow', async () => {
    await show(<Page />);
    await doing(() => connect.open());
    const app = await readyApp();
    await doing(() => app.say('error', BANK_DOWN));
    expect(connect.error).toEqual(BANK_DOWN);
    expect(connect.status).toBe('open');
    await doing(() => app.say('exit', exitOf('error', BANK_DOWN)));
    expect(connect.status).toBe('exited');
    expect(connect.error).toEqual(BANK_DOWN);
    await doing(() => connect.open());
    expect(connect.error).toBeNull();
  });

  it('asks the app to exit', async () => {
    await show(<Page />);
    await doing(() => connect.open());
    const app = await readyApp();
    await doing(async () => {
      connect.exit();
      await delivered();
    });
    expect(app.heard).toMatchObject([{ type: 'request_exit', payload: { force: false } }]);
  });

  // connect 13, check 8
  it('creates one frame when strict mode mounts twice, and keeps it', async () => {
    const made = jest.spyOn(document, 'createElement');
    await show(<Page openOnMount />);
    expect(made.mock.calls.filter(([name]) => name === 'iframe')).toHaveLength(1);
    expect(frames()).toHaveLength(1);
    const app = await readyApp();
    await doing(() => app.say('success', LINK_SUCCESS));
    expect(recorded.payloads('success')).toHaveLength(1);
  });

  it('neither rebuilds the frame nor calls an old closure after a re-render', async () => {
    await show(<Page />);
    await doing(() => connect.open());
    const app = await readyApp();
    const newer = recordCallbacks();
    await page.render(<Page {...newer.callbacks} />);
    expect(frames()).toEqual([app.frame]);
    await doing(() => app.say('success', LINK_SUCCESS));
    expect(recorded.names()).toEqual(['ready']);
    expect(newer.names()).toEqual(['event', 'success']);
  });

  it('keeps its functions from render to render', async () => {
    await show(<Page />);
    const { open, exit } = connect;
    await page.render(<Page linkSessionToken="another" />);
    expect(connect.open).toBe(open);
    expect(connect.exit).toBe(exit);
  });

  it('uses a token that changed while closed for the next open, and not before', async () => {
    await show(<Page linkSessionToken="first" />);
    await doing(() => connect.open());
    const app = HostedApp.inFrame();
    await page.render(<Page linkSessionToken="second" />);
    await doing(async () => {
      app.hello();
      await app.say('exit', exitOf('user_closed'));
    });
    expect(app.posted[0]?.message.payload['link_session_token']).toBe('first');
    await doing(() => connect.open());
    const next = HostedApp.inFrame();
    await doing(() => next.hello());
    expect(next.posted[0]?.message.payload['link_session_token']).toBe('second');
  });

  it('is not ready without a token, and opens nothing then', async () => {
    await show(<Page linkSessionToken={null} />);
    expect(connect.ready).toBe(false);
    await doing(() => connect.open());
    expect(frames()).toHaveLength(0);
    expect(warn).toHaveBeenCalledTimes(1);
    await page.render(<Page linkSessionToken={TOKEN} />);
    expect(connect.ready).toBe(true);
  });

  it('stays idle when the token is invalid', async () => {
    await show(<Page linkSessionToken="not a token" />);
    expect(() => connect.open()).toThrow('linkSessionToken');
    await page.render(<Page />);
    expect(connect.status).toBe('idle');
  });

  it('ignores open while open, with a warning', async () => {
    await show(<Page />);
    await doing(() => connect.open());
    await doing(() => connect.open());
    expect(warn).toHaveBeenCalledTimes(1);
    expect(frames()).toHaveLength(1);
  });

  it('passes a new theme to the app, but not one with equal content', async () => {
    await show(<Page theme={{ colors: { accent: '#111111' } }} />);
    await doing(() => connect.open());
    const app = await readyApp();
    await page.render(<Page theme={{ colors: { accent: '#111111' } }} />);
    await page.render(<Page theme={{ colors: { accent: '#222222' } }} appearance="dark" />);
    await doing(delivered);
    expect(app.heard).toMatchObject([
      { type: 'theme', payload: { theme: { colors: { accent: '#222222' } }, appearance: 'dark' } },
    ]);
  });

  it('removes Connect from the page when it unmounts, and calls no callback', async () => {
    await show(<Page />);
    await doing(() => connect.open());
    await readyApp();
    await page.render(null);
    expect(frames()).toHaveLength(0);
    expect(recorded.names()).toEqual(['ready']);
  });
});

describe('ConnectButton', () => {
  const options = (): UseConnectOptions => ({
    connectBaseUrl: BASE_URL,
    linkSessionToken: TOKEN,
    ...recorded.callbacks,
  });
  const button = (): HTMLButtonElement => page.element.querySelector('button') as HTMLButtonElement;

  it('opens Connect once, and regains the focus afterwards', async () => {
    const ref = createRef<HTMLButtonElement>();
    await show(
      <ConnectButton {...options()} ref={ref} className="primary">
        Link a bank
      </ConnectButton>,
    );
    expect(ref.current).toBe(button());
    expect(button().outerHTML).toContain('type="button"');
    expect(button().className).toBe('primary');
    expect(button().textContent).toBe('Link a bank');
    button().focus();
    await doing(() => button().click());
    await doing(() => button().click());
    expect(frames()).toHaveLength(1);
    expect(warn).not.toHaveBeenCalled();
    const app = await readyApp();
    app.frame.dispatchEvent(new Event('load'));
    await doing(() => app.say('exit', exitOf('user_closed')));
    expect(document.activeElement).toBe(button());
  });

  it('is disabled without a token, and when disabled is set', async () => {
    await show(
      <ConnectButton {...options()} linkSessionToken={null}>
        Link a bank
      </ConnectButton>,
    );
    expect(button().disabled).toBe(true);
    await page.render(
      <ConnectButton {...options()} disabled>
        Link a bank
      </ConnectButton>,
    );
    expect(button().disabled).toBe(true);
    await page.render(<ConnectButton {...options()}>Link a bank</ConnectButton>);
    expect(button().disabled).toBe(false);
  });

  it('lets its own click be prevented', async () => {
    await show(
      <ConnectButton {...options()} onClick={(event) => event.preventDefault()}>
        Link a bank
      </ConnectButton>,
    );
    await doing(() => button().click());
    expect(frames()).toHaveLength(0);
  });
});

describe('OAuthReturn', () => {
  const returnPage = (extra: { linkSessionToken?: string; url?: string } = {}) => (
    <OAuthReturn
      connectBaseUrl={BASE_URL}
      url={RETURN_URL}
      handedOver="Back in the other window"
      {...recorded.callbacks}
      {...extra}
    >
      One moment
    </OAuthReturn>
  );

  it('passes the address on once, also in strict mode, and reports it', async () => {
    const close = jest.spyOn(window, 'close').mockImplementation(() => undefined);
    const asked: unknown[] = [];
    const starting = new BroadcastChannel('connect-oauth');
    starting.onmessage = ({ data }) => {
      asked.push(data);
    };
    await show(returnPage());
    expect(page.element.textContent).toBe('One moment');
    await doing(async () => {
      await delivered();
      starting.postMessage(envelope('', 'resume_ack', { oauth_state_id: STATE_ID }));
      await delivered();
    });
    starting.close();
    expect(asked).toEqual([envelope('', 'resume', { url: RETURN_URL })]);
    expect(page.element.textContent).toBe('Back in the other window');
    expect(close).toHaveBeenCalledTimes(1);
    expect(recorded.calls).toEqual([]);
  });

  it('resumes here when no page accepts the address', async () => {
    jest.useFakeTimers();
    await show(returnPage({ linkSessionToken: TOKEN }));
    await doing(async () => {
      jest.advanceTimersByTime(1_500);
      await delivered();
    });
    const app = await readyApp();
    expect(app.posted[0]?.message.payload).toMatchObject({
      continue_url: RETURN_URL,
      link_session_token: TOKEN,
    });
    await doing(() => app.say('success', LINK_SUCCESS));
    expect(recorded.payloads('success')).toEqual([LINK_SUCCESS]);
    expect(page.element.textContent).toBe('One moment');
  });

  it('resumes with the token of the flow that this tab opened, also in strict mode', async () => {
    jest.useFakeTimers();
    await show(<Page openOnMount />);
    await readyApp();
    // The remaining data of the page in a tab that goes to the bank and returns.
    await page.render(null);
    await page.render(returnPage());
    await doing(async () => {
      jest.advanceTimersByTime(1_500);
      await delivered();
    });
    const app = await readyApp();
    expect(frames()).toHaveLength(1);
    expect(app.posted[0]?.message.payload).toMatchObject({
      continue_url: RETURN_URL,
      link_session_token: TOKEN,
    });
  });

  it('uses the address of the page, and reports when no bank redirected there', async () => {
    await show(returnPage({ url: undefined }));
    expect(recorded.calls).toMatchObject([
      ['error', { error_id: 'connect_error.oauth_state_invalid' }],
    ]);
    expect(frames()).toHaveLength(0);
  });

  it('stops searching when it unmounts', async () => {
    jest.useFakeTimers();
    await show(returnPage());
    await page.render(null);
    await doing(async () => {
      jest.advanceTimersByTime(60_000);
      await delivered();
    });
    expect(frames()).toHaveLength(0);
    expect(recorded.calls).toEqual([]);
  });
});
