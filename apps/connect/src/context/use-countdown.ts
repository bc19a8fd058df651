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

/** 65 → 1:05, in the digits of the locale. */
export function clockTime(seconds: number, locale: string): string {
  const whole = new Intl.NumberFormat(locale, { useGrouping: false });
  const padded = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 });
  return `${whole.format(Math.floor(seconds / 60))}:${padded.format(seconds % 60)}`;
}

/** 65 → 1 minute, 5 seconds: a screen reader reads 1:05 as a time of the day. */
export function spokenTime(seconds: number, locale: string): string {
  const unit = (name: 'minute' | 'second', count: number): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' }).format(count);
  const minutes = Math.floor(seconds / 60);
  const parts = [unit('second', seconds % 60)];
  if (minutes > 0) parts.unshift(unit('minute', minutes));
  return new Intl.ListFormat(locale, { type: 'unit', style: 'long' }).format(parts);
}
