import { useEffect } from 'react';
import { stepErrorText } from '../flow/step-error.js';
import type { Step } from '../../../../packages/connect-protocol/src/step.js';
import { useAnnounce } from '../context/announcer.js';
import { useConnect } from '../context/connect-context.js';

/** Errors that do not use an attempt. */
const NO_REFUSALS: readonly string[] = ['interrupted', 'other_route'];

/**
 * The reason of the last refused answer and the remaining attempts, as one text; announced when it
 * arrives.
 */
export function useStepError(step: Step): string | null {
  const { texts } = useConnect();
  const announce = useAnnounce();
  const reason = stepErrorText(step, texts);
  const tries =
    reason === null || step.attempts_left === null || NO_REFUSALS.includes(step.error?.code ?? '')
      ? ''
      : ` ${texts.get('tries_left', { count: step.attempts_left })}`;
  const text = reason === null ? null : `${reason}${tries}`;
  useEffect(() => {
    if (text !== null) announce(text, { urgent: true });
  }, [text, step.id, announce]);
  return text;
}
