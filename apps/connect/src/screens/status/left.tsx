import type { ReactElement } from 'react';
import { useConnect } from '../../context/connect-context.js';

/** The end of a standalone page; an SDK removes its window instead. */
export function Left(): ReactElement {
  const { texts, state } = useConnect();
  return (
    <div className="layer layer-page">
      <main className="dialog ended">
        {/* After a failed call it was not the user who stopped. */}
        {state.problem === null ? (
          <>
            <h1>{texts.get('left_title')}</h1>
            <p className="subtitle">{texts.get('done_close')}</p>
          </>
        ) : (
          <h1>{texts.get('done_close')}</h1>
        )}
      </main>
    </div>
  );
}
