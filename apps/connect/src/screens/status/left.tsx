import type { ReactElement } from 'react';
import { useConnect } from '../../context/connect-context.js';

/** The end of a standalone page; an SDK removes its window instead. */
export function Left(): ReactElement {
  const { texts } = useConnect();
  return (
    <div className="layer layer-page">
      <main className="dialog ended">
        <h1>{texts.get('left_title')}</h1>
        <p className="subtitle">{texts.get('done_close')}</p>
      </main>
    </div>
  );
}
