import type { ReactElement } from 'react';
import { back, close } from '../icons/frame-shapes.js';
import { Icon } from '../icons/icon.js';
import { useConnect } from '../context/connect-context.js';

/** Back, the app, close. */
export function Header(): ReactElement {
  const { flow, state, texts, names } = useConnect();
  const isKnown = names.app !== texts.get('the_app');
  const canGoBack = state.phase === 'open' && state.view?.step.can_go_back === true;
  const logo = state.view?.app.logo_url ?? null;
  return (
    <header className="header">
      {canGoBack ? (
        <button
          type="button"
          className="header-button"
          aria-label={texts.get('back')}
          onClick={() => flow.answer({ kind: 'back' })}
        >
          <Icon shape={back} size={22} />
        </button>
      ) : (
        <span className="header-gap" />
      )}
      <p className="header-name">
        {logo !== null && <img className="header-logo" src={logo} alt="" width={20} height={20} />}
        <bdi>{isKnown && names.app}</bdi>
      </p>
      <button
        type="button"
        className="header-button"
        aria-label={texts.get('close')}
        onClick={() => flow.leave({ ask: 'whenAccepted' })}
      >
        <Icon shape={close} size={22} />
      </button>
    </header>
  );
}
