import { createContext, useContext, useEffect, useRef, type RefObject } from 'react';
import type { Suggestion } from './suggestions.js';

type Fill = (suggestion: Suggestion) => void;

export const FillingContext = createContext<RefObject<Fill | null>>({ current: null });

/** Lets the sandbox band fill in the fields of the screen that is shown. */
export function useFilling(fill: Fill): void {
  const target = useContext(FillingContext);
  const latest = useRef(fill);
  useEffect(() => {
    latest.current = fill;
  });
  useEffect(() => {
    const own: Fill = (suggestion) => latest.current(suggestion);
    target.current = own;
    return () => {
      if (target.current === own) target.current = null;
    };
  }, [target]);
}
