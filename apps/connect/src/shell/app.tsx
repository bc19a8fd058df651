import { useRef, useSyncExternalStore, type ReactElement } from 'react';
import type { ConnectFlow } from '../flow/connect-flow.js';
import type { FlowState } from '../flow/flow-state.js';
import type { Host } from '../host/host.js';
import type { Appearance } from '../../../../packages/connect-protocol/src/init.js';
import { FillingContext } from '../sandbox/use-filling.js';
import type { Suggestion } from '../sandbox/suggestions.js';
import type { Device } from '../../../../packages/connect-protocol/src/init.js';
import type { Texts } from '../texts/texts.js';
import { Announcer } from '../context/announcer.js';
import { ConnectContext } from '../context/connect-context.js';
import { CurrentScreen } from './current-screen.js';
import { Dialog } from './dialog.js';
import { useTheme } from './use-theme.js';
import { useWaitingStage } from '../context/use-waiting-stage.js';
import { WaitingContext } from '../context/waiting-sentence.js';

/** The theme the SDK requested; it may change while the app is open. */
export interface Look {
  theme: unknown;
  appearance: Appearance;
}

interface AppProps {
  flow: ConnectFlow;
  host: Host;
  texts: Texts;
  device: Device;
  now: () => number;
  look: { get: () => Look; subscribe: (listener: () => void) => () => void };
}

export function App({ flow, host, texts, device, now, look }: AppProps): ReactElement | null {
  const state = useSyncExternalStore(flow.store.subscribe, flow.store.get);
  const { theme: sdkTheme, appearance: wanted } = useSyncExternalStore(look.subscribe, look.get);
  const { theme, appearance } = useTheme({
    themes: [state.view?.theme, sdkTheme],
    appearance: wanted,
    locale: texts.locale,
    isSandbox: state.view?.environment === 'sandbox',
  });
  const waiting = useWaitingStage(isWaiting(state));
  const filling = useRef<((suggestion: Suggestion) => void) | null>(null);
  const connect = {
    flow,
    state,
    texts,
    names: flow.names(),
    theme,
    appearance,
    device,
    hostKind: host.kind,
    isModal: host.kind !== 'page' && !host.init.inline,
    oauthWindow: host.init.oauthWindow,
    now,
  };
  if (state.phase === 'left')
    return host.Left === undefined ? null : (
      <ConnectContext value={connect}>
        <host.Left />
      </ConnectContext>
    );
  return (
    <ConnectContext value={connect}>
      <WaitingContext value={waiting}>
        <FillingContext value={filling}>
          <Announcer>
            <Dialog isLineShown={waiting !== 'none'}>
              <CurrentScreen />
            </Dialog>
          </Announcer>
        </FillingContext>
      </WaitingContext>
    </ConnectContext>
  );
}

function isWaiting({ phase, sending, view }: FlowState): boolean {
  return (
    phase === 'starting' ||
    sending ||
    (phase === 'open' && (view?.step.kind === 'wait' || view?.step.kind === 'success'))
  );
}
