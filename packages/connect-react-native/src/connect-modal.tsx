import { useEffect, useState, useSyncExternalStore } from 'react';
import { AccessibilityInfo, Modal } from 'react-native';
import { ConnectScreen } from './connect-screen.js';
import type { ConnectStore } from './connect-store.js';

/** Covers the app while a flow is open. Full screen: it cannot be swiped away without the flow knowing. */
export function ConnectModal({ store }: { store: ConnectStore }) {
  const { flow, isInline } = useSyncExternalStore(store.subscribe, store.snapshot);
  const isStill = useReducedMotion();
  if (flow === undefined || isInline) return null;
  return (
    <Modal
      visible
      presentationStyle="fullScreen"
      animationType={isStill ? 'none' : 'slide'}
      onRequestClose={flow.back}
    >
      <ConnectScreen flow={flow} />
    </Modal>
  );
}

function useReducedMotion(): boolean {
  const [isStill, setStill] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void AccessibilityInfo.isReduceMotionEnabled().then((is) => isMounted && setStill(is));
    const listener = AccessibilityInfo.addEventListener('reduceMotionChanged', setStill);
    return () => {
      isMounted = false;
      listener.remove();
    };
  }, []);
  return isStill;
}
