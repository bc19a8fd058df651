import { useEffect, useRef } from 'react';

/** Calls a function when a value differs from the one that was known first; null = it is not known yet. */
export function useOnChange(value: string | null, call: () => void): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (value === null) return;
    if (last.current !== null && last.current !== value) call();
    last.current = value;
  });
}
