import type { ConnectError } from '../../../../packages/connect-protocol/src/payloads.js';
import type { RequestedExitReason } from '../host/host.js';
import type { ErrorAction } from '../../../../packages/connect-protocol/src/step.js';
import type {
  FinishResult,
  SessionEnd,
  View,
} from '../../../../packages/connect-protocol/src/view.js';
import type { ProblemName } from './problem-table.js';
import type { RefusalText } from './refusals.js';

/** The cause of a problem in one line, and the user's part in its solution elsewhere. */
export interface ProblemSentences {
  cause: string;
  deed: string | null;
}

/** An error that is a whole screen. */
export interface Problem {
  error: ConnectError;
  /** Its row of the table; null for one that this version does not know. */
  name: ProblemName | null;
  text: ProblemSentences;
  actions: readonly ErrorAction[];
  institutionUrl: string | null;
  /** The end of the attempt when the user exits from here. */
  exitReason: 'error' | 'expired';
  at: Date;
}

export interface FlowState {
  /** `open`: a step is shown; the others have one screen each, `left` has none. */
  phase: 'starting' | 'open' | 'problem' | 'moved' | 'done' | 'left';
  view: View | null;
  /** A call is in progress; actions that would send another wait. */
  sending: boolean;
  /** The content of that call, as waiting-subject.ts names it; it stays until the next one. */
  sent: string | null;
  /** An answer given elsewhere, or before a reload, is being processed. */
  answeredElsewhere: boolean;
  /** The reason of the last refused call, shown at its origin; the step stays. */
  refusal: RefusalText | null;
  problem: Problem | null;
  result: FinishResult | null;
  /** The session had ended before this page was loaded; its phase is `left`. */
  end: SessionEnd | null;
  /** The leave question is open; `programmatic` when the page asked for the end. */
  leaving: RequestedExitReason | null;
  online: boolean;
  searchTerm: string;
}

export type FlowAction =
  | { type: 'sending'; sent: string }
  | { type: 'answered'; view: View }
  | { type: 'shown'; view: View }
  | { type: 'busyElsewhere'; view: View }
  | { type: 'refused'; refusal: RefusalText | null }
  | { type: 'failed'; problem: Problem }
  | { type: 'starting' }
  | { type: 'moved' }
  | { type: 'finished'; result: FinishResult }
  | { type: 'askedToLeave'; reason: RequestedExitReason }
  | { type: 'stayed' }
  | { type: 'left' }
  | { type: 'ended'; end: SessionEnd }
  | { type: 'connection'; online: boolean }
  | { type: 'searched'; term: string };

export const initialState: FlowState = {
  phase: 'starting',
  view: null,
  sending: false,
  sent: null,
  answeredElsewhere: false,
  refusal: null,
  problem: null,
  result: null,
  end: null,
  leaving: null,
  online: true,
  searchTerm: '',
};

/**
 * Every change of Connect's state. An ended flow stays ended, and an older view never replaces
 * a newer one.
 */
export function reduce(state: FlowState, action: FlowAction): FlowState {
  if (state.phase === 'left') return state;
  switch (action.type) {
    case 'connection':
      return { ...state, online: action.online };
    case 'left':
      return { ...state, phase: 'left', leaving: null, sending: false };
    case 'ended':
      return { ...state, phase: 'left', end: action.end };
    case 'askedToLeave':
      return state.phase === 'done' || state.phase === 'moved'
        ? state
        : { ...state, leaving: action.reason };
    case 'stayed':
      return { ...state, leaving: null };
    case 'searched':
      return { ...state, searchTerm: action.term };
    default:
      return state.phase === 'done' || state.phase === 'moved' ? state : reduceCall(state, action);
  }
}

type CallAction = Exclude<
  FlowAction,
  { type: 'connection' | 'left' | 'ended' | 'askedToLeave' | 'stayed' | 'searched' }
>;

function reduceCall(state: FlowState, action: CallAction): FlowState {
  switch (action.type) {
    case 'starting':
      return {
        ...state,
        phase: state.view === null ? 'starting' : 'open',
        problem: null,
        sending: state.view !== null,
        sent: null,
      };
    case 'sending':
      return { ...state, sending: true, sent: action.sent, refusal: null };
    case 'answered':
      return { ...show(state, action.view), sending: false };
    case 'shown':
      // The response of a call in progress brings the next screen: until then its buttons would ignore every press.
      return state.sending && action.view.seq !== state.view?.seq
        ? state
        : show(state, action.view);
    case 'busyElsewhere':
      return { ...show(state, action.view), sending: false, answeredElsewhere: true };
    case 'refused':
      return { ...state, sending: false, refusal: action.refusal };
    case 'failed':
      return { ...state, phase: 'problem', problem: action.problem, sending: false, leaving: null };
    case 'moved':
      return { ...state, phase: 'moved', sending: false, leaving: null };
    case 'finished':
      return { ...state, phase: 'done', result: action.result, sending: false, leaving: null };
  }
}

function show(state: FlowState, view: View): FlowState {
  if (state.view !== null && view.seq < state.view.seq)
    return { ...state, phase: 'open', problem: null };
  const isNew = state.view?.seq !== view.seq;
  // connect 5, rule 5: while the answer is worked on, the service still has the answered step under
  // this number, and a poll returns it. It is not a new question.
  const step = isNew || state.view?.step.kind !== 'wait' ? view.step : state.view.step;
  return {
    ...state,
    phase: 'open',
    // connect 4: only the response that opens the session includes its theme.
    view: { ...view, step, theme: view.theme ?? state.view?.theme ?? null },
    problem: null,
    refusal: isNew ? null : state.refusal,
    answeredElsewhere: isNew ? false : state.answeredElsewhere,
  };
}
