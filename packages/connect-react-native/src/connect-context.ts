import { createContext, useContext } from 'react';
import type { ConnectLook, ContinueOptions, PresentOptions } from './options.js';
import type { ConnectOutcome, Present, PresentAsyncOptions } from './present-async.js';
import type { FlowReport } from './report-status.js';

/** The context of the components below a provider, on a phone and on the web. */
export interface ConnectControl {
  subscribe: (listener: () => void) => () => void;
  snapshot: () => FlowReport;
  presentLinkFlow: Present;
  presentLinkFlowAsync: (options: PresentAsyncOptions) => Promise<ConnectOutcome>;
  /** The flow of a ConnectView at its place: on the web an element. @returns a function to call when it is gone */
  presentInline: (options: PresentOptions, place: object) => () => void;
  continueFlow: (options: ContinueOptions) => boolean;
  exit: (options?: { force?: boolean }) => void;
  update: (look: Pick<ConnectLook, 'theme' | 'appearance'>) => void;
}

export const ConnectContext = createContext<ConnectControl | null>(null);

/** @throws Error outside of a ConnectProvider */
export function useConnectControl(): ConnectControl {
  const control = useContext(ConnectContext);
  if (control === null)
    throw new Error('Connect: there is no ConnectProvider above this component.');
  return control;
}
