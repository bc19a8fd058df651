import { lazy, Suspense, useEffect, useState, type ReactElement, type ReactNode } from 'react';
import { TextButton } from '../../controls/text-button.js';
import { outside } from '../../icons/frame-shapes.js';
import { Icon } from '../../icons/icon.js';
import { problemRowOf, remedyOf } from '../../flow/problem-table.js';
import type { Problem } from '../../flow/flow-state.js';
import type { ErrorAction } from '../../../../../packages/connect-protocol/src/step.js';
import { useAnnounce } from '../../context/announcer.js';
import { useConnect } from '../../context/connect-context.js';
import { keepTrying } from '../../session/keep-trying.js';
import { Screen } from '../screen.js';

/** By itself, since this screen is in the first load and must not need the network. */
const ProblemSign = lazy(() => keepTrying(() => import('./problem-sign.js')));

interface ProblemScreenProps {
  problem: Problem;
  /** The line under the button; null after a failed call, when the state of the session is unknown. */
  reassurance: string | null;
  /** Its technical details: loaded already, or later. */
  children: ReactNode;
}

/**
 * A sign, the cause in one line, and the one remedy; the user's part only where there is one. Never
 * a dead end: an exit is always possible.
 */
export function ProblemScreen({
  problem,
  reassurance,
  children,
}: ProblemScreenProps): ReactElement {
  const { flow } = useConnect();
  const announce = useAnnounce();
  const { error, name, text } = problem;
  const message = error.displayed_message;
  useEffect(() => announce(message, { urgent: true }), [announce, message]);
  const [wasAtBank, setWasAtBank] = useState(false);
  const { remedy, others } = remedyOf(name, problem.actions, { wasAtBank });
  const act = (action: ErrorAction): void => {
    flow.act(action, problem);
    if (action === 'open_institution') setWasAtBank(true);
  };
  return (
    <Screen
      className="problem"
      title={text.cause}
      subtitle={text.deed ?? undefined}
      institution={null}
      primary={{
        label: <ActionLabel action={remedy} />,
        onPress: () => act(remedy),
      }}
      secondary={
        <>
          {others.map((action) => (
            <TextButton key={action} onPress={() => act(action)}>
              <ActionLabel action={action} />
            </TextButton>
          ))}
          {children}
        </>
      }
      note={reassurance}
    >
      {/* A failed call may have no network for its picture; the sentence stands without it, and does not move with it. */}
      <Suspense fallback={<div className="sign" aria-hidden="true" />}>
        <ProblemSign sign={problemRowOf(name).sign} />
      </Suspense>
    </Screen>
  );
}

function ActionLabel({ action }: { action: ErrorAction }): ReactElement {
  const { texts, names, hostKind } = useConnect();
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
      return <>{texts.get('finder_without')}</>;
    case 'exit':
      // The hosted page may have no app to return to.
      return <>{hostKind === 'page' ? texts.get('close') : texts.get('back_to_app', names)}</>;
  }
}
