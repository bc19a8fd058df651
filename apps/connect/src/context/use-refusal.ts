import { useEffect } from 'react';
import { isNotice, stepErrorText } from '../flow/step-error.js';
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

/**
 * The reason of the last refused answer and the remaining attempts, as one text; announced when it
 * arrives. Null for a notice, which the screen shows apart.
 */
export function useStepError(step: Step): string | null {
  const { texts } = useConnect();
  const announce = useAnnounce();
  const reason = isNotice(step) ? null : stepErrorText(step, texts);
  const tries =
    reason === null || step.attempts_left === null
      ? ''
      : ` ${texts.get('tries_left', { count: step.attempts_left })}`;
  const text = reason === null ? null : `${reason}${tries}`;
  useEffect(() => {
    if (text !== null) announce(text, { urgent: true });
  }, [text, step.id, announce]);
  return text;
}

/** The notice of the current step, announced when it arrives; null = there is none. */
export function useStepNotice(): string | null {
  const {
    state: { view },
    texts,
  } = useConnect();
  const announce = useAnnounce();
  const step = view?.step ?? null;
  // A search has nothing to send again.
  const text =
    step === null || !isNotice(step) || step.kind === 'select_institution'
      ? null
      : stepErrorText(step, texts);
  const stepId = step?.id;
  useEffect(() => {
    if (text !== null) announce(text);
  }, [text, stepId, announce]);
  return text;
}
