import { useSyncExternalStore } from 'react';
import { useConnectControl } from './connect-context.js';
import type { ConnectLook, ContinueOptions, PresentOptions } from './options.js';
import type { ConnectOutcome, PresentAsyncOptions } from './present-async.js';
import type { FlowReport } from './report-status.js';

export interface UseConnectResult extends FlowReport {
  /**
   * Opens Connect over the app. While it is open, another call is ignored with a warning.
   * @throws ConnectConfigurationError for a token that cannot be one
   */
  presentLinkFlow: (options: PresentOptions) => void;
  /**
   * The same, as a promise of the end of the flow. A flow that the app removes, which calls no callback, ends as an exit
   * with reason `programmatic` here. It is rejected with a ConnectConfigurationError for a malformed token,
   * and while another flow is open.
   */
  presentLinkFlowAsync: (options: PresentAsyncOptions) => Promise<ConnectOutcome>;
  /**
   * Processes the address that a bank returned to: in the open flow, or as the flow of an app that was killed
   * meanwhile.
   * @returns whether it was one; for any other address no callback is called, so an app may pass on all
   * @throws ConnectConfigurationError for a token that cannot be one
   */
  continueFlow: (options: ContinueOptions) => boolean;
  /** Without `force` the end user may be asked. */
  exit: (options?: { force?: boolean }) => void;
  update: (look: Pick<ConnectLook, 'theme' | 'appearance'>) => void;
}

/** Connect, from any component below the ConnectProvider. The functions are the same in every render. */
export function useConnect(): UseConnectResult {
  const store = useConnectControl();
  const { status, error } = useSyncExternalStore(store.subscribe, store.snapshot);
  const { presentLinkFlow, presentLinkFlowAsync, continueFlow, exit, update } = store;
  return { presentLinkFlow, presentLinkFlowAsync, continueFlow, exit, update, status, error };
}
