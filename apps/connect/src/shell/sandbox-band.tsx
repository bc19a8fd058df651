import { Suspense, type ReactElement } from 'react';
import { SandboxHelp } from '../screens/screen-files.js';
import type { View } from '../session/view.js';
import { useConnect } from '../context/connect-context.js';

/** Makes the sandbox unmistakable. The suggestions are in a file that Live never loads. */
export function SandboxBand({ view }: { view: View }): ReactElement {
  const { texts, state, isModal } = useConnect();
  return (
    // Alone in a window it is beside the main part, and needs a landmark for screen readers.
    <div
      className="sandbox"
      {...(isModal ? {} : { role: 'region', 'aria-label': texts.get('sandbox_band') })}
    >
      <span className="sandbox-text">{texts.get('sandbox_band')}</span>
      {state.phase === 'open' && (
        <Suspense>
          <SandboxHelp key={view.step.id} view={view} />
        </Suspense>
      )}
    </div>
  );
}
