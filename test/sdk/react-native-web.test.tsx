import type { ReactNode } from 'react';
import {
  ConnectProvider,
  ConnectView,
  useConnect,
  useOAuthReturn,
  type UseConnectResult,
} from '../../packages/connect-react-native/src/index.web.js';
import {
  BASE_URL,
  frames,
  HostedApp,
  LINK_SUCCESS,
  RETURN_URL,
  TOKEN,
} from './support/hosted-app.js';
import { delivered, installMessagePorts, openBroadcastChannels } from './support/message-ports.js';
import { recordCallbacks } from './support/recorder.js';
import { doing, rendered, type Rendered } from './support/rendered.js';

installMessagePorts();

let recorded = recordCallbacks();
let page: Rendered;
let connect: UseConnectResult;
let warn: jest.SpiedFunction<typeof console.warn>;

function Status(): ReactNode {
  connect = useConnect();
  return connect.status;
}

const app = (children?: ReactNode): ReactNode => (
  <ConnectProvider connectBaseUrl={BASE_URL}>
    <Status />
    {children}
  </ConnectProvider>
);

const present = (): Promise<void> =>
  doing(() => connect.presentLinkFlow({ linkSessionToken: TOKEN, ...recorded.callbacks }));

const readyApp = async (): Promise<HostedApp> => {
  let hosted: HostedApp | undefined;
  await doing(async () => {
    hosted = await HostedApp.ready();
  });
  return hosted as HostedApp;
};

beforeEach(() => {
  recorded = recordCallbacks();
  warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(async () => {
  await page.unmount();
  await Promise.resolve();
  expect(frames()).toHaveLength(0);
  expect(openBroadcastChannels()).toBe(0);
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('The SDK for React Native, in a browser', () => {
  it('links with the functions of the phone, in the frame of connect-js', async () => {
    page = await rendered(app());
    await present();
    expect(page.element.textContent).toBe('opening');
    const hosted = await readyApp();
    expect(hosted.posted[0]?.message.payload['options']).toMatchObject({
      sdk: { name: 'connect-react-native' },
      platform: 'web',
    });
    await doing(() => hosted.say('success', LINK_SUCCESS));
    expect(recorded.payloads('success')).toEqual([LINK_SUCCESS]);
    expect(page.element.textContent).toBe('success');
  });

  it('ignores a second flow while one is open', async () => {
    page = await rendered(app());
    await present();
    await present();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(frames()).toHaveLength(1);
  });

  it('returns a promise of the end of the flow, also when the app removes it', async () => {
    page = await rendered(app());
    const ended = jest.fn();
    const begin = (): Promise<void> =>
      doing(() => {
        void connect.presentLinkFlowAsync({ linkSessionToken: TOKEN }).then(ended);
      });
    await begin();
    const hosted = await readyApp();
    await doing(() => hosted.say('success', LINK_SUCCESS));
    await begin();
    await expect(connect.presentLinkFlowAsync({ linkSessionToken: TOKEN })).rejects.toThrow('open');
    await page.unmount();
    await delivered();
    expect(ended.mock.calls).toEqual([
      [{ outcome: 'success', success: LINK_SUCCESS }],
      [{ outcome: 'exit', exit: expect.objectContaining({ reason: 'programmatic' }) }],
    ]);
  });

  it('is one frame inside a ConnectView, also when strict mode mounts it twice', async () => {
    page = await rendered(app(<ConnectView linkSessionToken={TOKEN} {...recorded.callbacks} />));
    expect(frames()).toHaveLength(1);
    const hosted = await readyApp();
    await doing(() => hosted.say('success', LINK_SUCCESS));
    expect(recorded.payloads('success')).toHaveLength(1);
  });

  it('accepts the address of a bank’s return once, and ignores any other', async () => {
    jest.useFakeTimers();
    function Return(): ReactNode {
      useOAuthReturn(recorded.callbacks);
      return null;
    }
    page = await rendered(app(<Return />));
    expect(frames()).toHaveLength(0);
    const taken: boolean[] = [];
    await doing(() => {
      for (const url of ['https://app.example/settings', RETURN_URL])
        taken.push(connect.continueFlow({ url, ...recorded.callbacks }));
    });
    expect(taken).toEqual([false, true]);
    // No other window of the app accepts it.
    await doing(async () => {
      jest.advanceTimersByTime(1_500);
      await delivered();
    });
    const hosted = await readyApp();
    expect(hosted.frame.src).toContain('/continue#');
    await doing(() => hosted.say('success', LINK_SUCCESS));
    expect(recorded.payloads('success')).toEqual([LINK_SUCCESS]);
    await doing(() => {
      expect(connect.continueFlow({ url: RETURN_URL, ...recorded.callbacks })).toBe(true);
    });
    await doing(async () => {
      jest.advanceTimersByTime(1_500);
      await delivered();
    });
    expect(frames()).toHaveLength(0);
  });
});
