import { useEffect, useRef } from 'react';

/** Ends with the component, but not when strict mode unmounts and immediately mounts it again. */
export function useDestroyOnUnmount(store: { destroy: () => void }): void {
  const mounted = useRef<unknown>(undefined);
  useEffect(() => {
    mounted.current = store;
    return () => {
      mounted.current = undefined;
      // A flow opened in between is still needed.
      void Promise.resolve().then(() => {
        if (mounted.current !== store) store.destroy();
      });
    };
  }, [store]);
}
