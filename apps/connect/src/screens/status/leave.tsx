import { useEffect, useRef, type ReactElement } from 'react';
import { lossOf } from '../../flow/screens.js';
import { useConnect } from '../../context/connect-context.js';

/** Confirms closing, and explains its effect. */
export function Leave(): ReactElement {
  const { flow, state, texts } = useConnect();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const shared = texts.get(state.view?.mode === 'relink' ? 'nothing_changed' : 'nothing_shared');
  const sentence = {
    nothing: shared,
    progress: `${shared} ${texts.get('leave_start_over')}`,
    result: texts.get('leave_finishing'),
  }[lossOf(state.view?.step)];
  return (
    <div className="leave">
      <div
        className="leave-card"
        role="alertdialog"
        aria-modal="true"
        aria-labelledby="leave-title"
        aria-describedby="leave-text"
      >
        <h2 id="leave-title" ref={heading} tabIndex={-1}>
          {texts.get('leave_title')}
        </h2>
        <p id="leave-text" className="subtitle">
          {sentence}
        </p>
        <button type="button" className="text-button" onClick={() => flow.confirmLeave()}>
          {texts.get('leave_stop')}
        </button>
        <button type="button" className="primary" onClick={() => flow.stay()}>
          {texts.get('leave_stay')}
        </button>
      </div>
    </div>
  );
}
