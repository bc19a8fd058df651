import {
  Suspense,
  useSyncExternalStore,
  useEffect,
  useEffectEvent,
  useRef,
  type ReactElement,
  type ReactNode,
} from 'react';
import { Leave } from '../screens/status/leave.js';
import { SandboxBand } from './sandbox-band.js';
import { useConnect } from '../context/connect-context.js';
import { Header } from './header.js';
import { OfflineBand } from './offline-band.js';
import { othersRequested, TimeLimit } from '../screens/screen-files.js';
import { useFocusTrap } from './use-focus-trap.js';

/**
 * The frame around every screen: a dialog over the page on a desktop, the whole window on a phone.
 */
export function Dialog({
  isLineShown,
  children,
}: {
  isLineShown: boolean;
  children: ReactNode;
}): ReactElement {
  const { flow, state, hostKind, isModal } = useConnect();
  const layer = useRef<HTMLDivElement>(null);
  useFocusTrap(layer, isModal);
  useFocusReturn(layer, state.leaving !== null);
  const { view, phase, leaving } = state;
  const mayLoadMore = useSyncExternalStore(othersRequested.subscribe, othersRequested.get);
  useEscape(() => {
    if (leaving === null) flow.leave({ ask: 'always' });
    else flow.stay();
  });
  return (
    <div
      className={`layer layer-${hostKind === 'frame' && !isModal ? 'inline' : hostKind}`}
      ref={layer}
    >
      <div
        className="dialog"
        {...(isModal
          ? { role: 'dialog', 'aria-modal': true, 'aria-labelledby': 'screen-title' }
          : {})}
      >
        <div className="dialog-content" inert={leaving !== null}>
          <Header />
          <div className={`progress-line ${isLineShown ? 'is-shown' : ''}`} aria-hidden="true" />
          {view?.environment === 'sandbox' && <SandboxBand view={view} />}
          <OfflineBand />
          {mayLoadMore && phase === 'open' && view !== null && (
            <Suspense>
              <TimeLimit view={view} />
            </Suspense>
          )}
          <main className="main">{children}</main>
        </div>
        {leaving !== null && <Leave />}
      </div>
    </div>
  );
}

/** Escape wherever the focus is: before the first screen has taken it, it is on the body. */
function useEscape(act: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

/** After the leave question the focus returns to where it was. */
function useFocusReturn(layer: { current: HTMLElement | null }, isAsking: boolean): void {
  const before = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && target.closest('.leave') === null)
        before.current = target;
    };
    const element = layer.current;
    element?.addEventListener('focusin', onFocus);
    return () => element?.removeEventListener('focusin', onFocus);
  }, [layer]);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (wasAsking.current && !isAsking) before.current?.focus({ preventScroll: true });
    wasAsking.current = isAsking;
  }, [isAsking]);
}
