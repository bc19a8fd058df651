import type { ReactElement } from 'react';
import type { Texts } from '../texts/texts.js';

/** An address for an SDK that was opened by hand. */
export function NotEmbedded({ texts }: { texts: Texts }): ReactElement {
  return (
    <div className="layer layer-page">
      <main className="dialog ended">
        <h1>{texts.get('problem_not_embedded_title')}</h1>
        <p className="subtitle">{texts.get('problem_not_embedded')}</p>
      </main>
    </div>
  );
}
