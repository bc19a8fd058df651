import { useEffect, type ReactNode } from 'react';
import {
  useConnect,
  type UseConnectOptions,
  type UseConnectResult,
} from '../../../packages/connect-react/src/index.js';
import { BASE_URL, frames, HostedApp, TOKEN } from './hosted-app.js';
import { installMessagePorts, openBroadcastChannels } from './message-ports.js';
import { recordCallbacks } from './recorder.js';
import { doing, rendered, type Rendered } from './rendered.js';

export let recorded = recordCallbacks();
export let page: Rendered;
/** The result of the hook in the last render of `Page`. */
export let connect: UseConnectResult;
export let warn: jest.SpiedFunction<typeof console.warn>;

/** Records the callbacks of each test, which must leave no frame and no channel behind. */
export function startReactPages(): void {
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

export async function show(node: ReactNode): Promise<void> {
  page = await rendered(node);
}

export function Page({
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

export async function readyApp(): Promise<HostedApp> {
  let app: HostedApp | undefined;
  await doing(async () => {
    app = await HostedApp.ready();
  });
  return app as HostedApp;
}
