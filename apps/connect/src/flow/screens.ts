import type { Step, StepKind } from '../../../../packages/connect-protocol/src/step.js';
import type { FlowState } from './flow-state.js';

/** The screens by their names in events. Source: connect 3. */
export type ScreenName =
  | 'finder'
  | 'credentials'
  | 'questions'
  | 'options'
  | 'code'
  | 'picture'
  | 'bank_redirect'
  | 'progress'
  | 'permissions'
  | 'accounts'
  | 'done'
  | 'problem'
  | 'moved'
  | 'leave';

const SCREEN_OF_KIND: Record<Exclude<StepKind, 'form' | 'success'>, ScreenName> = {
  select_institution: 'finder',
  choice: 'options',
  otp: 'code',
  image: 'picture',
  redirect: 'bank_redirect',
  wait: 'progress',
  consent: 'permissions',
  select_accounts: 'accounts',
  error: 'problem',
};

const KNOWN_KINDS = new Set<string>([...Object.keys(SCREEN_OF_KIND), 'form', 'success']);

/** A service newer than this app may send a step that the app cannot show (connect 5). */
export function isKnown(step: Step): boolean {
  return KNOWN_KINDS.has(step.kind);
}

/** The screen that is shown, or null where there is none. */
export function screenOf({ phase, view, leaving }: FlowState): ScreenName | null {
  if (leaving !== null) return 'leave';
  switch (phase) {
    case 'starting':
    case 'left':
      return null;
    case 'open':
      return view === null ? null : screenOfStep(view.step);
    default:
      return phase;
  }
}

function screenOfStep(step: Step): ScreenName | null {
  if (step.kind === 'form') return step.purpose === 'credentials' ? 'credentials' : 'questions';
  // The result is being fetched; the previous screen stays.
  if (step.kind === 'success') return null;
  return SCREEN_OF_KIND[step.kind];
}

/** The user's loss by leaving at a step. */
export type Loss = 'nothing' | 'progress' | 'result';

export function lossOf(step: Step | undefined): Loss {
  switch (step?.kind) {
    case undefined:
    case 'select_institution':
    case 'redirect':
    case 'error':
      return 'nothing';
    case 'form':
      return step.purpose === 'credentials' ? 'nothing' : 'progress';
    case 'wait':
      if (step.stage === 'finishing') return 'result';
      return step.stage === 'connecting' ? 'nothing' : 'progress';
    case 'success':
      return 'result';
    default:
      return 'progress';
  }
}
