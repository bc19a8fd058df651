import { useEffect, useState } from 'react';

/**
 * The stages of waiting: first nothing, then a line, then the subject of the wait, then a note that waiting is
 * safe.
 */
export type WaitingStage = 'none' | 'line' | 'reason' | 'long';

const STAGES: readonly (readonly [afterMs: number, stage: WaitingStage])[] = [
  [400, 'line'],
  [2_000, 'reason'],
  [10_000, 'long'],
];

export function useWaitingStage(isWaiting: boolean): WaitingStage {
  const [stage, setStage] = useState<WaitingStage>('none');
  useEffect(() => {
    if (!isWaiting) return;
    const timers = STAGES.map(([afterMs, next]) => setTimeout(() => setStage(next), afterMs));
    return () => {
      timers.forEach(clearTimeout);
      setStage('none');
    };
  }, [isWaiting]);
  return stage;
}
