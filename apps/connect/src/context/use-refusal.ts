import { useEffect } from 'react';
import { stepErrorText } from '../flow/step-error.js';
import type { Step } from '../../../../packages/connect-protocol/src/step.js';
import { useAnnounce } from './announcer.js';
import { useConnect } from './connect-context.js';

/** The reason of the last refused call, announced once and shown until the next attempt. */
export function useRefusal(): string | null {
  const {
    state: { refusal },
    texts,
  } = useConnect();
  const announce = useAnnounce();
  const text = refusal === null ? null : texts.get(refusal);
  useEffect(() => {
    if (text !== null) announce(text, { urgent: true });
  }, [text, announce]);
  return text;
}

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
