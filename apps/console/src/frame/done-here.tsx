import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useEffectEvent } from 'react';
import type { Context } from './screen.js';

/** First steps that no row of the service tells of, with the time at which this browser saw them done. */
export type DoneHere = Partial<Readonly<Record<StepDoneHere, string>>>;
export type StepDoneHere = 'accounts' | 'verify';

/** The steps of an app and an environment that were done in this browser. */
export function useDoneHere({ app, env }: Context): [DoneHere, (step: StepDoneHere) => void] {
  const [done, setDone] = useLocalStorage<DoneHere>({
    key: `console-done-${app}-${env}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  return [
    done,
    (step) =>
      setDone((before) => ({ ...before, [step]: before[step] ?? new Date().toISOString() })),
  ];
}

/** Where it is shown, a step is done. */
export function MarkDoneHere({ context, step }: { context: Context; step: StepDoneHere }): null {
  const [, mark] = useDoneHere(context);
  const markOnce = useEffectEvent(() => mark(step));
  useEffect(() => markOnce(), []);
  return null;
}
