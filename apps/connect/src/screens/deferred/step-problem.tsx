import type { ReactElement } from 'react';
import { problemRowOf } from '../../flow/problem-table.js';
import { useConnect } from '../../context/connect-context.js';
import { ProblemScreen } from '../status/problem-screen.js';
import { TechnicalDetails } from './technical-details.js';

/** The error step: a problem of the bank, the service or the user, before anything was shared. */
export function StepProblem(): ReactElement | null {
  const { flow, state, texts } = useConnect();
  const problem = flow.problem();
  if (problem === null) return null;
  const reassurance = texts.get(
    state.view?.mode === 'relink' ? 'nothing_changed' : 'nothing_shared',
  );
  return (
    <ProblemScreen
      problem={problem}
      reassurance={problemRowOf(problem.name).reassures ? reassurance : null}
    >
      <TechnicalDetails problem={problem} />
    </ProblemScreen>
  );
}
