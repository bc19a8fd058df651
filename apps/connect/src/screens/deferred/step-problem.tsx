import type { ReactElement } from 'react';
import { outside } from '../../icons/frame-shapes.js';
import { Icon } from '../../icons/icon.js';
import type { ErrorAction } from '../../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../../context/connect-context.js';
import type { Naming } from '../../flow/problems.js';
import type { Texts } from '../../texts/texts.js';
import { ProblemScreen } from '../status/problem-screen.js';
import { TechnicalDetails } from './technical-details.js';

/** The error step: a problem of the bank, the service or the user. */
export function StepProblem(): ReactElement | null {
  const { flow, texts, names } = useConnect();
  const problem = flow.problem();
  if (problem === null) return null;
  return (
    <ProblemScreen
      problem={problem}
      labelOf={(action) => labelOf(action, texts, names)}
      fault={faultOf(problem.error.fault, texts, names)}
    >
      <TechnicalDetails problem={problem} />
    </ProblemScreen>
  );
}

function labelOf(action: ErrorAction, texts: Texts, names: Naming): ReactElement {
  switch (action) {
    case 'retry':
      return <>{texts.get('try_again')}</>;
    case 'choose_another':
      return <>{texts.get('choose_another')}</>;
    case 'open_institution':
      return (
        <>
          {texts.get('go_to_bank', names)} <Icon shape={outside} size={16} />
          <span className="visually-hidden">({texts.get('opens_window')})</span>
        </>
      );
    case 'connect_manually':
      return <>{texts.get('enter_by_hand')}</>;
    case 'exit':
      return <>{texts.get('leave')}</>;
  }
}

function faultOf(fault: string, texts: Texts, names: Naming): string {
  switch (fault) {
    case 'user':
      return texts.get('fault_user');
    case 'institution':
      return texts.get('fault_institution', names);
    case 'provider':
      return texts.get('fault_provider', names);
    default:
      return texts.get('fault_service');
  }
}
