import { FAILOVER_CAUSES } from '../institutions/route-failover.js';
import {
  askStep,
  callAgain,
  callOnce,
  isResend,
  lose,
  openLogin,
  poll,
  refuseAnswer,
  sendAway,
  showAgain,
  startRedirect,
  submit,
} from './bank-moves.js';
import { EXTEND_EXISTING } from './extension-offer.js';
import type { Decision } from './session-effect.js';
import {
  ask,
  begin,
  beginRedirect,
  canReturnToConsent,
  chooseBank,
  chosen,
  continueLinked,
  extendLink,
  fail,
  finish,
  leave,
  MAX_ATTEMPTS,
  offerExtension,
  over,
  presetAttempt,
  REDIRECT,
  showProblem,
  start,
  stay,
  succeeded,
  takeNextRoute,
} from './session-moves.js';
import type {
  AnytimeEvent,
  Attempt,
  BankStep,
  CallEvent,
  EventName,
  EventNamed,
  LoginStartEvent,
  PhaseName,
  PhaseNamed,
  SessionEvent,
  SessionFacts,
  SessionPhase,
  StepEvent,
} from './session-phase.js';

type Anytime = AnytimeEvent['name'];
type OfStep = StepEvent['name'];

/**
 * The events that each phase expects. Its row must have a move for each of them to compile; every
 * other event is ignored there.
 */
interface Expected {
  unopened: Anytime | OfStep | 'opened';
  choosingBank: Anytime | OfStep;
  startingLogin: Anytime | LoginStartEvent['name'];
  offeringExtension: Anytime | OfStep | 'stepTimeOver';
  offeringRedirect: Anytime | OfStep | 'stepTimeOver';
  callingBank: Anytime | CallEvent['name'] | 'stepTimeOver';
  answering: Anytime | OfStep | 'stepTimeOver';
  waitingAtBank: Anytime | CallEvent['name'] | 'stepTimeOver';
  awayAtBank: Anytime | OfStep | 'stepTimeOver';
  asking: Anytime | OfStep | 'stepTimeOver';
  finishing: Anytime | 'finishRefused';
  showingProblem: Anytime | OfStep;
  succeeded: 'shown' | 'exchanged' | 'sessionTimeOver' | 'endedElsewhere';
  over: never;
}

type Move<P extends PhaseName, E extends EventName> = (
  phase: PhaseNamed<P>,
  event: EventNamed<E>,
  facts: SessionFacts,
) => Decision;
type Table = { readonly [P in PhaseName]: { readonly [E in Expected[P]]: Move<P, E> } };

// ---- moves that phases share ----

/** Every phase before success. Opening such a session again shows its current step (connect 4). */
const ANYTIME = {
  // The step is stored, and the user's turn begins.
  shown: (phase: SessionPhase) => stay(phase),
  // connect 4: an exit ends the attempt, not the session.
  exited: (phase: SessionPhase, _event: unknown, facts: SessionFacts) =>
    leave(attemptOf(phase), facts),
  // The database does not allow the next change, for example after a deletion.
  changeRefused: (phase: SessionPhase) => showProblem(attemptOf(phase), 'connect_error.internal'),
  // link-lifecycle 3, and the deletion of its link or a newer session for it (link-lifecycle 8, 9).
  sessionTimeOver: () => over('ended'),
  endedElsewhere: () => over('ended'),
  // connect 4: no page can fill a history.
  tooManySteps: (): Decision => ({ ...over('ended'), effect: { name: 'endSession' } }),
  exchanged: () => over('exchanged'),
  // The row decides: the result was stored, even if this workflow run does not know of it.
  finished: (phase: SessionPhase, _event: unknown, facts: SessionFacts) =>
    succeeded(attemptOf(phase), facts),
} as const;

/** connect 5, rule 7: the step or its wait expires. */
const EXPIRES = {
  stepTimeOver: ({ attempt }: { attempt: Attempt }, _event: unknown, facts: SessionFacts) =>
    fail(attempt, 'institution_timeout', facts),
} as const;
/** Returns to the choice of another bank. */
const BACK = {
  wentBack: (phase: SessionPhase, _event: unknown, facts: SessionFacts) =>
    chooseBank(attemptOf(phase), facts),
} as const;
/** connect 7, steps 1 and 6, and connect 5, rule 11: starts, completes or cancels a redirect. */
const REDIRECT_MOVES = {
  answered: (
    { attempt, step }: { attempt: Attempt; step: BankStep },
    { answer }: EventNamed<'answered'>,
    facts: SessionFacts,
  ) => {
    const { login } = attempt;
    if (answer.kind === 'redirect_start') return beginRedirect(attempt, answer.redirectId, facts);
    if (answer.kind !== 'redirect_return')
      return showAgain(attempt, step, facts, { interrupted: false });
    return login === null
      ? showAgain(attempt, step, facts, { interrupted: true })
      : // The code in the callback URL works once.
        callOnce({ ...attempt, login }, step, {
          kind: 'completeRedirect',
          redirectId: answer.redirectId,
        });
  },
} as const;

/** The move for each event in each phase. Source: connect 4, 5, 7; link-lifecycle 2.5, 4, 8. */
const TABLE: Table = {
  unopened: {
    ...ANYTIME,
    opened: (_phase, _event, facts) => start(facts),
    answered: (_phase, _event, facts) => start(facts),
    wentBack: (_phase, _event, facts) => start(facts),
    changeRefused: (_phase, _event, facts) =>
      showProblem(presetAttempt(facts), 'connect_error.internal'),
    // connect 4: there is no attempt to leave.
    exited: stay,
  },

  choosingBank: {
    ...ANYTIME,
    ...BACK,
    answered: (_phase, { answer }, facts) =>
      answer.kind === 'select_institution'
        ? begin(chosen(answer.institution_id), facts)
        : chooseBank(null, facts),
  },

  startingLogin: {
    ...ANYTIME,
    loginStarted: ({ attempt, redirectId }, { login }, facts) =>
      redirectId === null
        ? openLogin({ ...attempt, login }, facts)
        : startRedirect({ ...attempt, login }, redirectId, { isFirst: attempt.login === null }),
    // Offered again if the link can no longer be extended.
    extensionFound: ({ attempt }, _event, facts) => offerExtension(attempt, facts),
    // The redirect is the first step; nothing has started yet.
    redirectFound: ({ attempt }, _event, facts) =>
      showAgain({ ...attempt, login: null }, REDIRECT, facts, { interrupted: false }),
    // No login was started, so there is none to return to.
    loginRefused: ({ attempt }, { problem }) => showProblem({ ...attempt, login: null }, problem),
    linkExtended: ({ attempt }, _event, facts) =>
      begin({ ...attempt, extension: 'extends' }, facts),
    nothingToExtend: ({ attempt }, _event, facts) => begin(attempt, facts),
    noOtherRoute: ({ attempt, failed }, _event, facts) =>
      fail(attempt, failed ?? 'internal', facts),
  },

  offeringExtension: {
    ...ANYTIME,
    ...BACK,
    ...EXPIRES,
    answered: ({ attempt }, { answer }, facts) => {
      if (answer.kind !== 'choice') return offerExtension(attempt, facts);
      return answer.option_ids.includes(EXTEND_EXISTING)
        ? extendLink(attempt)
        : begin({ ...attempt, extension: 'separate' }, facts);
    },
  },

  offeringRedirect: { ...ANYTIME, ...BACK, ...EXPIRES, ...REDIRECT_MOVES },

  callingBank: {
    ...ANYTIME,
    ...EXPIRES,
    bankAsked: ({ attempt, call, from }, event, facts) => {
      // A resent code grants no further attempts.
      const isSameStep = call.kind === 'answer' && isResend(call.answer) && from !== null;
      const attemptsLeft = event.attemptsLeft ?? (isSameStep ? from.attemptsLeft : MAX_ATTEMPTS);
      return askStep(attempt, event, { isFirst: from === null, attemptsLeft }, facts);
    },
    bankRefused: ({ attempt, from }, event, facts) => refuseAnswer(attempt, from, event, facts),
    bankAway: ({ attempt, from }, event, facts) =>
      sendAway(attempt, from ?? REDIRECT, event, facts),
    bankLinked: ({ attempt }, { questions }, facts) => continueLinked(attempt, questions, facts),
    // connect 5, rule 10: once, and only before the user has done anything at the bank.
    callFailed: ({ attempt, mayFailOver }, { cause }, facts) =>
      mayFailOver && !attempt.hasFailedOver && FAILOVER_CAUSES.includes(cause)
        ? takeNextRoute(attempt, cause, facts)
        : fail(attempt, cause, facts),
    callLost: (phase, event, facts) =>
      phase.repeats > 0 ? callAgain(phase) : lose(phase.attempt, phase.from, event, facts),
    // connect 5, rule 11: returns to the step before the login. The bank's last step is void.
    canceled: ({ attempt, from }, _event, facts) =>
      from === null || from.kind === 'redirect'
        ? showAgain(attempt, from, facts, { interrupted: false })
        : begin(attempt, facts),
  },

  answering: {
    ...ANYTIME,
    ...BACK,
    ...EXPIRES,
    answered: ({ attempt, step }, { answer }, facts) => {
      if ('sealedAs' in answer) return submit(attempt, step, { sealedAs: answer.sealedAs });
      return answer.kind === 'choice' || answer.kind === 'otp'
        ? submit(attempt, step, answer)
        : showAgain(attempt, step, facts, { interrupted: false });
    },
  },

  waitingAtBank: {
    ...ANYTIME,
    ...EXPIRES,
    shown: ({ attempt, step }) => poll(attempt, step),
    bankAsked: ({ attempt }, event, facts) =>
      askStep(
        attempt,
        event,
        { isFirst: false, attemptsLeft: event.attemptsLeft ?? MAX_ATTEMPTS },
        facts,
      ),
    bankRefused: ({ attempt, step }, event, facts) => refuseAnswer(attempt, step, event, facts),
    bankAway: ({ attempt, step }, event, facts) => sendAway(attempt, step, event, facts),
    bankLinked: ({ attempt }, { questions }, facts) => continueLinked(attempt, questions, facts),
    callFailed: ({ attempt }, { cause }, facts) => fail(attempt, cause, facts),
    // Polling changes nothing at the bank.
    callLost: ({ attempt, step, repeats }, event, facts) =>
      repeats > 0 ? poll(attempt, step, repeats - 1) : lose(attempt, step, event, facts),
    canceled: ({ attempt }, _event, facts) => begin(attempt, facts),
  },

  awayAtBank: { ...ANYTIME, ...BACK, ...EXPIRES, ...REDIRECT_MOVES },

  asking: {
    ...ANYTIME,
    ...EXPIRES,
    answered: ({ attempt, question, questions }, { answer }, facts) => {
      if (answer.kind === 'select_accounts') return finish(attempt, { refs: answer.refs }, facts);
      if (answer.kind !== 'consent') return ask(attempt, question, questions);
      const { granted } = answer;
      return questions.includes('select_accounts')
        ? ask(attempt, 'select_accounts', questions, { granted })
        : finish(attempt, { granted }, facts);
    },
    wentBack: (phase, _event, facts) =>
      canReturnToConsent(phase)
        ? ask(phase.attempt, 'consent', phase.questions)
        : chooseBank(phase.attempt, facts),
  },

  finishing: {
    ...ANYTIME,
    // link-lifecycle 2.5, 12: a rule of the app forbids the link only now. The problem is shown.
    finishRefused: ({ attempt }) => stay({ name: 'showingProblem', attempt, cause: null }),
  },

  showingProblem: {
    ...ANYTIME,
    ...BACK,
    answered: ({ attempt }, { answer }, facts) => {
      if (answer.kind !== 'error') return showProblem(attempt, 'connect_error.internal');
      return answer.action === 'retry' && attempt !== null
        ? begin(attempt, facts, { isRetry: true })
        : chooseBank(attempt, facts);
    },
  },

  // connect 5, rule 8: the user's part is done. link-lifecycle 3: the exchange has its own window.
  succeeded: {
    shown: (phase) => stay(phase),
    exchanged: (phase) => (phase.awaits === 'exchange' ? over('exchanged') : stay(phase)),
    sessionTimeOver: (phase) => (phase.awaits === 'exchange' ? over('ended') : stay(phase)),
    endedElsewhere: (phase) => (phase.awaits === 'exchange' ? over('ended') : stay(phase)),
  },

  over: {},
};

/** The names of all phases, in the order of a session. */
export const PHASES = Object.keys(TABLE) as readonly PhaseName[];
/** The names of all events. */
export const EVENTS: readonly EventName[] = [...new Set(Object.values(TABLE).flatMap(eventsOf))];

/**
 * Whether a phase expects an event. Any other event changes nothing: the session waits for the next
 * one.
 */
export function expects(phase: PhaseName, event: EventName): boolean {
  return event in TABLE[phase];
}

/** Nothing can follow: the session has ended, or has succeeded without a token to exchange. */
export function isFinal(phase: SessionPhase): boolean {
  return phase.name === 'over' || (phase.name === 'succeeded' && phase.awaits === 'nothing');
}

/** The next phase of a session, and its effect. Pure; never throws. */
export function decide(phase: SessionPhase, event: SessionEvent, facts: SessionFacts): Decision {
  // A move receives the phase of its row and the event of its name.
  const moves = TABLE[phase.name] as Partial<Record<EventName, AnyMove>>;
  return moves[event.name]?.(phase, event, facts) ?? stay(phase);
}
type AnyMove = (phase: SessionPhase, event: SessionEvent, facts: SessionFacts) => Decision;

const attemptOf = (phase: SessionPhase): Attempt | null =>
  'attempt' in phase ? phase.attempt : null;

function eventsOf(row: object): EventName[] {
  return Object.keys(row) as EventName[];
}
