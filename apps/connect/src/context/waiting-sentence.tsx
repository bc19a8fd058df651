import { createContext, useContext, useEffect, type ReactElement } from 'react';
import { useAnnounce } from './announcer.js';
import { useConnect } from './connect-context.js';
import type { WaitingStage } from './use-waiting-stage.js';

export const WaitingContext = createContext<WaitingStage>('none');

/**
 * The subject of the wait, shown after two and after ten seconds. Its space is reserved, so that
 * nothing moves.
 */
export function WaitingSentence(): ReactElement {
  const stage = useContext(WaitingContext);
  const { state, texts, names } = useConnect();
  const announce = useAnnounce();
  const sentence = wording();
  useEffect(() => {
    if (sentence !== '') announce(sentence);
  }, [sentence, announce]);
  return (
    <p className="waiting" aria-hidden="true">
      {sentence}
    </p>
  );

  function wording(): string {
    if (stage === 'long') return texts.get('waiting_long');
    if (stage !== 'reason') return '';
    return state.view?.institution == null
      ? texts.get('waiting')
      : texts.get('waiting_bank', { bank: names.bank });
  }
}
