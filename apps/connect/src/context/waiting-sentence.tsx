import { createContext, useContext, useEffect } from 'react';
import type { FlowState } from '../flow/flow-state.js';
import { subjectOf } from '../flow/waiting-subject.js';
import { useAnnounce } from './announcer.js';
import { useConnect } from './connect-context.js';
import type { WaitingStage } from './use-waiting-stage.js';

export const WaitingContext = createContext<WaitingStage>('none');

/** The subject of the wait, announced and shown after two and after ten seconds; empty before. */
export function useWaitingSentence(): string {
  const stage = useContext(WaitingContext);
  const { state, texts, names } = useConnect();
  const announce = useAnnounce();
  const sentence = wording();
  useEffect(() => {
    if (sentence !== '') announce(sentence);
  }, [sentence, announce]);
  return sentence;

  function wording(): string {
    if (stage === 'long') return texts.get('waiting_long');
    if (stage !== 'reason') return '';
    const subject = subjectOf(causeOf(state));
    const key = `waiting_${subject}` as const;
    return subject !== null && texts.has(key)
      ? texts.get(key as 'waiting_code', names)
      : texts.get('waiting');
  }
}

function causeOf({ sending, sent, view, phase }: FlowState): string | null {
  if (sending) return sent;
  return phase === 'open' && view?.step.kind === 'wait' ? view.step.stage : null;
}
