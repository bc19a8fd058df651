import { act, render } from '@testing-library/react-native';
import type { ReactNode } from 'react';
import { ConnectProvider, useConnect, type UseConnectResult } from '../../src/index.js';
import type { OpenAuthSession } from '../../src/index.js';
import { processMemory } from '../../src/process-memory.js';

export const BASE = 'https://api.example/connect';
export const TOKEN = 'lst_phone_0123456789';

export interface Callbacks {
  onSuccess: jest.Mock;
  onExit: jest.Mock;
  onEvent: jest.Mock;
  onError: jest.Mock;
  onReady: jest.Mock;
}

/** Discards the state that the process keeps of earlier flows. */
export function startProcess(): void {
  processMemory.keptTokens.clear();
  processMemory.endedReturns.clear();
}

export const callbacks = (): Callbacks => ({
  onSuccess: jest.fn(),
  onExit: jest.fn(),
  onEvent: jest.fn(),
  onError: jest.fn(),
  onReady: jest.fn(),
});

interface AppProps {
  baseUrl?: string;
  openAuthSession?: OpenAuthSession;
  children?: ReactNode;
}

/** An app with Connect in it. `connect()` is the current result of `useConnect` in a component. */
export async function renderApp(props: AppProps = {}) {
  let latest: UseConnectResult | undefined;
  function Component() {
    latest = useConnect();
    return null;
  }
  const element = ({ baseUrl = BASE, openAuthSession, children }: AppProps) => (
    <ConnectProvider connectBaseUrl={baseUrl} openAuthSession={openAuthSession}>
      <Component />
      {children}
    </ConnectProvider>
  );
  const app = await render(element(props));
  return {
    ...app,
    renderAgain: (next: AppProps) => app.rerender(element(next)),
    connect: () => latest as UseConnectResult,
    /** Calls Connect as an event handler of the app does. */
    use: <Result,>(call: (connect: UseConnectResult) => Result) =>
      act(async () => call(latest as UseConnectResult)),
  };
}
