import { Suspense, useEffect, type ReactElement, type ReactNode } from 'react';
import { TextButton } from '../../controls/text-button.js';
import { titleOf } from '../../flow/problems.js';
import type { Problem } from '../../flow/flow-state.js';
import type { ErrorAction } from '../../session/step.js';
import { useAnnounce } from '../../context/announcer.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';
import { TechnicalDetails } from '../screen-files.js';

interface ProblemScreenProps {
  problem: Problem;
  labelOf: (action: ErrorAction) => ReactNode;
  /** Whose problem it is. */
  fault: string;
}

/**
 * What went wrong, whose problem it is and what to do now. Never a dead end: leaving is always
 * possible.
 */
export function ProblemScreen({ problem, labelOf, fault }: ProblemScreenProps): ReactElement {
  const { flow, texts, names } = useConnect();
  const announce = useAnnounce();
  const { error, actions } = problem;
  const title = titleOf(error.error_id, texts, names);
  const message = error.displayed_message;
  useEffect(() => announce(`${title}. ${message}`, { urgent: true }), [announce, title, message]);
  const [first = 'exit', ...others] = actions;
  return (
    <Screen
      className="problem"
      title={title}
      subtitle={message}
      primary={{ label: labelOf(first), onPress: () => flow.act(first, problem) }}
      secondary={others.map((action) => (
        <TextButton key={action} onPress={() => flow.act(action, problem)}>
          {labelOf(action)}
        </TextButton>
      ))}
      note={fault}
    >
      <Suspense>
        <TechnicalDetails problem={problem} />
      </Suspense>
    </Screen>
  );
}

/** A failed call. Its text is part of the first load, because the network may be what failed. */
export function CallProblem({ problem }: { problem: Problem }): ReactElement {
  const { texts } = useConnect();
  return (
    <ProblemScreen
      problem={problem}
      labelOf={(action) => texts.get(action === 'retry' ? 'try_again' : 'leave')}
      fault={texts.get(problem.error.fault === 'user' ? 'fault_user' : 'fault_service')}
    />
  );
}
