import { useEffect, type ReactElement, type ReactNode } from 'react';
import { TextButton } from '../../controls/text-button.js';
import { titleOf } from '../../flow/problems.js';
import type { Problem } from '../../flow/flow-state.js';
import type { ErrorAction } from '../../../../../packages/connect-protocol/src/step.js';
import { useAnnounce } from '../../context/announcer.js';
import { useConnect } from '../../context/connect-context.js';
import { Screen } from '../screen.js';

interface ProblemScreenProps {
  problem: Problem;
  labelOf: (action: ErrorAction) => ReactNode;
  /** The party at fault. */
  fault: string;
  /** Its technical details: loaded already, or later. */
  children: ReactNode;
}

/**
 * The problem, the party at fault and the remedy. Never a dead end: an exit is always
 * possible.
 */
export function ProblemScreen({
  problem,
  labelOf,
  fault,
  children,
}: ProblemScreenProps): ReactElement {
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
      {children}
    </Screen>
  );
}
