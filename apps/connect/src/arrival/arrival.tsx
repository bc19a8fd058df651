import { useEffect, useRef, type ReactElement } from 'react';
import { useTheme } from '../shell/use-theme.js';
import type { Texts } from '../texts/texts.js';
import { fetchOtherScreens } from '../screens/screen-files.js';

interface ArrivalProps {
  texts: Texts;
  onContinue: () => void;
}

/** Before the session is opened: the name of the app and its theme are unknown. */
export function Arrival({ texts, onContinue }: ArrivalProps): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  useTheme({
    themes: [null, null],
    appearance: 'system',
    locale: texts.locale,
    isSandbox: false,
  });
  useEffect(() => {
    button.current?.focus({ preventScroll: true });
    fetchOtherScreens();
  }, []);
  return (
    <div className="layer layer-page">
      <main className="dialog ended">
        <h1 id="arrival-title">{texts.get('arrival_title')}</h1>
        <p id="arrival-text" className="subtitle">
          {texts.get('arrival_text')}
        </p>
        <button
          type="button"
          className="primary"
          ref={button}
          aria-describedby="arrival-title arrival-text"
          onClick={onContinue}
        >
          {texts.get('continue')}
        </button>
      </main>
    </div>
  );
}
