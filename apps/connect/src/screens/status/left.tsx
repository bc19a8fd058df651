import type { ReactElement } from 'react';
import { useConnect } from '../../context/connect-context.js';

/** The end of a page that stands alone; an SDK takes its window away instead. */
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
