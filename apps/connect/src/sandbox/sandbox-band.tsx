import { Suspense, type ReactElement } from 'react';
import { SandboxHelp } from '../screens/screen-files.js';
import type { View } from '../session/view.js';
import { useConnect } from '../shell/connect-context.js';

/** Makes the sandbox unmistakable. What can be filled in comes in a file that Live never loads. */
export function SandboxBand({ view }: { view: View }): ReactElement {
  const { texts, state } = useConnect();
  return (
    <div className="sandbox">
      <span className="sandbox-text">{texts.get('sandbox_band')}</span>
      {state.phase === 'open' && <Suspense><SandboxHelp key={view.step.id} view={view} /></Suspense>}
    </div>
  );
}
