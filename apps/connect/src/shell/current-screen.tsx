import { Suspense, useEffect, type ReactElement, useContext } from 'react';
import { screenOf } from '../flow/screens.js';
import { Finder } from '../screens/institution/finder.js';
import { BankRedirect } from '../screens/login/bank-redirect.js';
import { Form } from '../screens/login/form.js';
import { Progress } from '../screens/status/progress.js';
import {
  Accounts,
  Code,
  Done,
  Moved,
  Options,
  Permissions,
  Picture,
  Questions,
  SetupToken,
  StepProblem,
  fetchOtherScreens,
  TechnicalDetails,
} from '../screens/screen-files.js';
import type { Step } from '../../../../packages/connect-protocol/src/step.js';
import { useConnect } from '../context/connect-context.js';
import type { Problem } from '../flow/flow-state.js';
import { ProblemScreen } from '../screens/status/problem-screen.js';
import { Spinner } from '../controls/spinner.js';
import { WaitingContext, useWaitingSentence } from '../context/waiting-sentence.js';

/**
 * The one screen of the state. Another question is another screen; a repeated question
 * keeps the typed values.
 */
export function CurrentScreen(): ReactElement {
  return (
    <Suspense fallback={<Opening />}>
      <ScreenOfState />
      <ScreenShown />
    </Suspense>
  );
}

/** Beside a screen whose file may still be loading: its effect runs when that screen is visible. */
function ScreenShown(): null {
  const { flow, state } = useConnect();
  const isScreen = screenOf(state) !== null;
  useEffect(() => {
    if (!isScreen) return;
    flow.screenVisible();
    fetchOtherScreens();
  }, [flow, isScreen]);
  return null;
}

function ScreenOfState(): ReactElement {
  const {
    state: { phase, view, problem: failure, result },
  } = useConnect();
  if (phase === 'done' && result !== null) return <Done result={result} />;
  if (phase === 'moved') return <Moved />;
  if (phase === 'problem' && failure !== null)
    return <CallProblem key={failure.error.error_id} problem={failure} />;
  return phase === 'open' && view !== null ? (
    <StepScreen key={questionOf(view.step)} step={view.step} />
  ) : (
    <Opening />
  );
}

function StepScreen({ step }: { step: Step }): ReactElement {
  switch (step.kind) {
    case 'select_institution':
      return <Finder />;
    case 'form':
      if (step.purpose !== 'credentials') return <Questions step={step} />;
      // The only field of its form, under the name from the SimpleFIN adapter.
      return step.fields[0]?.name === 'setup_token' ? (
        <SetupToken step={step} />
      ) : (
        <Form step={step} />
      );
    case 'choice':
      return <Options step={step} />;
    case 'otp':
      return <Code step={step} />;
    case 'image':
      return <Picture step={step} />;
    case 'redirect':
      return <BankRedirect step={step} />;
    case 'wait':
      return <Progress stage={step.stage} message={step.message} canCancel={step.can_cancel} />;
    case 'consent':
      return <Permissions step={step} />;
    case 'select_accounts':
      return <Accounts step={step} />;
    case 'success':
      return <Progress stage="finishing" message={null} canCancel={false} />;
    case 'error':
      return <StepProblem />;
    default:
      return <Opening />;
  }
}

function questionOf(step: Step): string {
  switch (step.kind) {
    case 'form':
      return `form ${step.purpose} ${step.fields.map(({ name, label }) => `${name} ${label}`).join(' ')}`;
    case 'redirect':
      return `redirect ${step.started}`;
    case 'wait':
      return `wait ${step.stage}`;
    case 'choice':
      return `choice ${step.options.map(({ id }) => id).join(' ')}`;
    case 'error':
      return step.id;
    default:
      return step.kind;
  }
}

/** A failed call. Its text is part of the first load, because the network may have failed. */
function CallProblem({ problem }: { problem: Problem }): ReactElement {
  return (
    <ProblemScreen problem={problem} reassurance={null}>
      <Suspense>
        <TechnicalDetails problem={problem} />
      </Suspense>
    </ProblemScreen>
  );
}

/** Before the first step: nothing for a moment, then a notice of loading. */
function Opening(): ReactElement {
  const { texts } = useConnect();
  const stage = useContext(WaitingContext);
  const sentence = useWaitingSentence();
  return (
    <div className="screen opening">
      <h1 id="screen-title" className="visually-hidden">
        {texts.get('waiting')}
      </h1>
      <div className="screen-body">
        {stage !== 'none' && <Spinner />}
        <p className="waiting" aria-hidden="true">
          {sentence}
        </p>
      </div>
    </div>
  );
}
