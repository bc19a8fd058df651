import { act, render } from '@testing-library/react-native';
import type { ReactNode } from 'react';
import { ConnectProvider, useConnect, type UseConnectResult } from '../../src/index.js';
import type { OpenAuthSession } from '../../src/index.js';

export const BASE = 'https://api.example/connect';
export const TOKEN = 'lst_phone_0123456789';

export interface Callbacks {
  onSuccess: jest.Mock;
  onExit: jest.Mock;
  onEvent: jest.Mock;
  onError: jest.Mock;
  onReady: jest.Mock;
}

export const callbacks = (): Callbacks => ({
  onSuccess: jest.fn(),
  onExit: jest.fn(),
  onEvent: jest.fn(),
  onError: jest.fn(),
  onReady: jest.fn(),
});

/** An app with Connect in it. `connect()` is what a component gets from `useConnect` now. */
export async function renderApp({
  baseUrl = BASE,
  openAuthSession,
  children,
}: { baseUrl?: string; openAuthSession?: OpenAuthSession; children?: ReactNode } = {}) {
  let latest: UseConnectResult | undefined;
  function Component() {
    latest = useConnect();
    return null;
  }
  const app = await render(
    <ConnectProvider connectBaseUrl={baseUrl} openAuthSession={openAuthSession}>
      <Component />
      {children}
    </ConnectProvider>,
  );
  return {
    ...app,
    connect: () => latest as UseConnectResult,
    /** Calls Connect as an event handler of the app does. */
    use: <Result,>(call: (connect: UseConnectResult) => Result) =>
      act(async () => call(latest as UseConnectResult)),
  };
}
