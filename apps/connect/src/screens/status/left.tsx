import type { ReactElement } from 'react';
import { useConnect } from '../../context/connect-context.js';
import type { FlowState } from '../../flow/flow-state.js';
import { goOn } from '../../flow/ending.js';
import { isAppAddress } from '../../flow/problems.js';
import type { SessionEnd } from '../../../../../packages/connect-protocol/src/view.js';

const TITLES = {
  linked: 'ended_connected',
  relinked: 'ended_connected',
  exited: 'left_title',
  expired: 'problem_session_expired',
} as const satisfies Record<SessionEnd['outcome'], string>;

/**
 * The end of a standalone page; an SDK removes its window instead. Also what a page shows that is
 * loaded after the end.
 */
export function Left(): ReactElement {
  const { texts, names, state } = useConnect();
  const title = titleOf(state);
  const returnsTo = state.end?.completion_redirect_uri ?? null;
  return (
    <div className="layer layer-page">
      <main className="dialog ended">
        {title === null ? (
          <h1>{texts.get('done_close')}</h1>
        ) : (
          <>
            <h1>{texts.get(title)}</h1>
            <p className="subtitle">{texts.get('done_close')}</p>
          </>
        )}
        {returnsTo !== null && isAppAddress(returnsTo) && (
          <button type="button" className="primary" onClick={() => goOn(returnsTo)}>
            {texts.get('back_to_app', names)}
          </button>
        )}
      </main>
    </div>
  );
}

function titleOf({ end, problem }: FlowState): (typeof TITLES)[SessionEnd['outcome']] | null {
  if (end !== null) return TITLES[end.outcome];
  // After a failed call it was not the user who stopped.
  return problem === null ? 'left_title' : null;
}
