import { createContext, useContext } from 'react';
import type { ConnectFlow } from '../flow/connect-flow.js';
import type { FlowState } from '../flow/flow-state.js';
import type { Naming } from '../flow/problems.js';
import type { Host } from '../host/host.js';
import type { Device } from '../../../../packages/connect-protocol/src/init.js';
import type { Texts } from '../texts/texts.js';
import type { ResolvedTheme } from '../theme/resolve-theme.js';

/** The context of every screen. */
export interface Connect {
  flow: ConnectFlow;
  state: FlowState;
  texts: Texts;
  names: Naming;
  theme: ResolvedTheme;
  appearance: 'light' | 'dark';
  device: Device;
  hostKind: Host['kind'];
  /** Above all other content, so that focus and reading stay inside. */
  isModal: boolean;
  oauthWindow: 'popup' | 'same';
  now: () => number;
}

export const ConnectContext = createContext<Connect | null>(null);

export function useConnect(): Connect {
  const connect = useContext(ConnectContext);
  if (connect === null) throw new Error('A screen is shown outside of Connect.');
  return connect;
}
