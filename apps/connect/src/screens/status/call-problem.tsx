import { Suspense, type ReactElement } from 'react';
import { useConnect } from '../../context/connect-context.js';
import type { Problem } from '../../flow/flow-state.js';
import { TechnicalDetails } from '../screen-files.js';
import { ProblemScreen } from './problem-screen.js';

/** A failed call. Its text is part of the first load, because the network may have failed. */
export function CallProblem({ problem }: { problem: Problem }): ReactElement {
  const { texts } = useConnect();
  return (
    <ProblemScreen
      problem={problem}
      labelOf={(action) => texts.get(action === 'retry' ? 'try_again' : 'leave')}
      fault={texts.get(problem.error.fault === 'user' ? 'fault_user' : 'fault_service')}
    >
      <Suspense>
        <TechnicalDetails problem={problem} />
      </Suspense>
    </ProblemScreen>
  );
}
