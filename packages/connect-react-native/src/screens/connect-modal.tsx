import { useEffect, useState, useSyncExternalStore } from 'react';
import { AccessibilityInfo, Modal, type ModalProps } from 'react-native';
import { ConnectScreen } from './connect-screen.js';
import type { ConnectStore } from '../connect-store.js';

/** All: without them iOS keeps a modal in portrait, and turns an app in landscape with it. */
const ORIENTATIONS = [
  'portrait',
  'portrait-upside-down',
  'landscape',
  'landscape-left',
  'landscape-right',
] satisfies ModalProps['supportedOrientations'];

/** Covers the app while a flow is open. Full screen: it cannot be swiped away without the flow knowing. */
export function ConnectModal({ store }: { store: ConnectStore }) {
  const { flow, place } = useSyncExternalStore(store.subscribe, store.snapshot);
  const isStill = useReducedMotion();
  if (flow === undefined || place !== null) return null;
  return (
    <Modal
      visible
      presentationStyle="fullScreen"
      supportedOrientations={ORIENTATIONS}
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
    void AccessibilityInfo.isReduceMotionEnabled().then(setStill);
    const listener = AccessibilityInfo.addEventListener('reduceMotionChanged', setStill);
    return () => listener.remove();
  }, []);
  return isStill;
}
