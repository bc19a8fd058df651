import { useEffect, useState } from 'react';
import { useConnect } from './connect-context.js';

/**
 * Whole seconds until a moment of the service's clock, counted down to 0; null without one. A
 * validity is rounded down: the clock of the service is known to the second only, and must not
 * promise a second more than there is.
 */
export function useCountdown(until: number | null, round: 'up' | 'down' = 'up'): number | null {
  const { now } = useConnect();
  const [, tick] = useState(0);
  const whole = round === 'up' ? Math.ceil : Math.floor;
  const left = until === null ? null : Math.max(0, whole((until - now()) / 1000));
  const isOver = left === null || left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => tick((ticks) => ticks + 1), 1000);
    return () => clearInterval(timer);
  }, [until, isOver]);
  return left;
}

/** 65 → 1:05 */
export function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
