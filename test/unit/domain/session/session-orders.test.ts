import fc from 'fast-check';
import type { Decision, SessionEffect } from '../../../../domain/session/session-effect.js';
import type {
  EventName,
  SessionEvent,
  SessionFacts,
  SessionPhase,
} from '../../../../domain/session/session-phase.js';
import { decide, EVENTS, isFinal, PHASES } from '../../../../domain/session/session-transitions.js';
import { ALL_FACTS, EVENT, FITTING_ANSWER, MORE_EVENTS, PHASE } from './session-samples.js';

const ORDERS = 10_000;
const MAX_EVENTS = 40;

/** Usual events are listed several times, so that sessions get far. */
const usually = (name: EventName, ...others: EventName[]): EventName[] => [
  ...others.flatMap(() => [name, name, name]),
  ...others,
];
const SHOWN: readonly EventName[] = usually('shown', 'changeRefused');
/** The events that complete each effect, as workflows/session performs it. */
const ENDS_IN: Readonly<Record<SessionEffect['name'], readonly EventName[]>> = {
  wait: ['opened', 'answered', 'wentBack', 'finished'],
  showBankChoice: SHOWN,
  showExtensionOffer: SHOWN,
  showBankStep: SHOWN,
  showAway: SHOWN,
  showQuestion: SHOWN,
  showProblem: ['shown'],
  failLogin: SHOWN,
  leaveAttempt: SHOWN,
  beginLogin: [
    ...usually('redirectFound', 'extensionFound'),
    ...usually('loginStarted', 'loginRefused', 'changeRefused'),
  ],
  extendLink: ['linkExtended', 'nothingToExtend', 'changeRefused'],
  beginRedirect: usually('loginStarted', 'loginRefused', 'changeRefused'),
  takeNextRoute: ['loginStarted', 'redirectFound', 'noOtherRoute', 'changeRefused'],
  finish: ['finished', 'finishRefused', 'changeRefused'],
  endSession: ['endedElsewhere'],
  callBank: ['bankAsked', 'bankRefused', 'bankLinked', 'callFailed', 'callLost'],
};
/** The events that can arrive instead while the session waits for the user, or for the bank. */
const INTERRUPTIONS: readonly EventName[] = [
  'exited',
  'canceled',
  'stepTimeOver',
  'sessionTimeOver',
  'tooManySteps',
  'exchanged',
  'endedElsewhere',
];
/** The user sees the result of these. */
const SHOWS: ReadonlySet<SessionEffect['name']> = new Set([
  ...(Object.keys(ENDS_IN) as SessionEffect['name'][]).filter((name) =>
    ENDS_IN[name].includes('shown'),
  ),
  'finish',
]);

const formsOf = (name: EventName, phase: SessionPhase): SessionEvent[] => [
  name === 'answered' ? FITTING_ANSWER[phase.name] : EVENT[name],
  ...MORE_EVENTS.filter((event) => event.name === name),
];

function endsOf({ phase, effect }: Decision): readonly EventName[] {
  if (effect.name === 'callBank' && effect.call.kind === 'startRedirect')
    return usually('bankAway', 'callFailed', 'callLost');
  if (effect.name === 'wait' && phase.name === 'unopened') return ['opened'];
  return ENDS_IN[effect.name];
}

/** The choices of the user, the bank and the database about the next event. */
interface Choice {
  event: number;
  form: number;
  isUsual: boolean;
  isInterrupted: boolean;
}

/** An event that can follow now. Each redirect is a new one. */
function eventAfter(decision: Decision, choice: Choice, position: number): SessionEvent {
  const { phase, effect } = decision;
  const mayBeInterrupted = effect.name === 'wait' || effect.name === 'callBank';
  const names = mayBeInterrupted && choice.isInterrupted ? INTERRUPTIONS : endsOf(decision);
  const isAnswer = effect.name === 'wait' && choice.isUsual && names.includes('answered');
  const name = isAnswer ? 'answered' : (names[choice.event % names.length] ?? 'sessionTimeOver');
  const forms = formsOf(name, phase);
  const event = forms[choice.isUsual ? 0 : choice.form % forms.length] ?? EVENT.sessionTimeOver;
  return event.name === 'answered' && 'redirectId' in event.answer
    ? { ...event, answer: { ...event.answer, redirectId: `way-${position}` } }
    : event;
}

interface Passed {
  event: SessionEvent;
  before: Decision;
  after: Decision;
}

/** A session from its start, until it is final or the choices are used up. */
function passedBy(facts: SessionFacts, choices: readonly Choice[]): Passed[] {
  const passed: Passed[] = [];
  let decision: Decision = { phase: PHASE.unopened, effect: { name: 'wait' } };
  for (const [position, choice] of choices.entries()) {
    if (isFinal(decision.phase)) break;
    const event = eventAfter(decision, choice, position);
    const after = decide(decision.phase, event, facts);
    passed.push({ event, before: decision, after });
    decision = after;
  }
  return passed;
}

/** Numbers in place of records, which would take most of the time. */
const CHOICE = fc.nat(99_999).map((n): Choice => ({
  event: n % 101,
  form: n % 103,
  isUsual: Math.floor(n / 100) % 10 < 7,
  isInterrupted: Math.floor(n / 1_000) % 100 < 6,
}));
const ORDER = fc.tuple(
  fc.constantFrom(...ALL_FACTS),
  fc.array(CHOICE, { maxLength: MAX_EVENTS, size: 'max' }),
);
/** The first sequence in which `violates` finds a violation fails the test with it. */
function neverHappens(violates: (passed: Passed[], facts: SessionFacts) => unknown): void {
  fc.assert(
    fc.property(ORDER, ([facts, choices]) => {
      const found = violates(passedBy(facts, choices), facts) ?? null;
      if (found !== null) expect(found).toBeNull();
    }),
    { numRuns: ORDERS },
  );
}

/** The redirects whose codes were sent to the bank. */
function codesSent(passed: readonly Passed[]): string[] {
  return passed.flatMap(({ after: { effect } }) =>
    effect.name === 'callBank' && effect.call.kind === 'completeRedirect'
      ? [effect.call.redirectId]
      : [],
  );
}

describe('A session, in 10,000 random sequences of events,', () => {
  it('passes through each phase, and often through a redirect', () => {
    const sessions = fc.sample(ORDER, ORDERS).map(([facts, choices]) => passedBy(facts, choices));
    const entered = new Set(sessions.flat().map(({ after }) => after.phase.name));
    expect([...PHASES].filter((phase) => phase !== 'unopened' && !entered.has(phase))).toEqual([]);
    expect(sessions.filter((passed) => codesSent(passed).length > 0).length).toBeGreaterThan(100);
  });

  it('throws for no event, even for one that cannot happen', () => {
    const anyEvent = fc.constantFrom(
      ...EVENTS.flatMap((name) => formsOf(name, PHASE.showingProblem)),
      ...Object.values(FITTING_ANSWER),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...ALL_FACTS),
        fc.array(anyEvent, { maxLength: MAX_EVENTS }),
        (facts, events) => {
          events.reduce<SessionPhase>(
            (phase, event) => decide(phase, event, facts).phase,
            PHASE.unopened,
          );
        },
      ),
      { numRuns: ORDERS },
    );
  });

  it('ends when its time expires, in each phase', () => {
    neverHappens((passed, facts) =>
      passed.find(({ after }) => !isFinal(decide(after.phase, EVENT.sessionTimeOver, facts).phase)),
    );
  });

  it('never leaves a phase that is final', () => {
    neverHappens((passed, facts) => {
      const { phase } = passed.at(-1)?.after ?? { phase: PHASE.unopened };
      if (!isFinal(phase)) return null;
      return Object.values(EVENT).find((event) => {
        const { phase: next, effect } = decide(phase, event, facts);
        return next !== phase || effect.name !== 'wait';
      });
    });
  });

  it('has an exit for the user wherever it waits for one', () => {
    neverHappens((passed, facts) =>
      passed.find(({ after: { phase, effect } }) => {
        if (effect.name !== 'wait' || isFinal(phase) || phase.name === 'succeeded') return false;
        const event = phase.name === 'unopened' ? EVENT.opened : EVENT.exited;
        return decide(phase, event, facts).effect.name === 'wait';
      }),
    );
  });

  it('sends an authorization code at most once', () => {
    neverHappens((passed) => {
      const sent = codesSent(passed);
      return sent.find((redirectId, index) => sent.indexOf(redirectId) !== index);
    });
  });

  it('sends an answer to the bank at most once', () => {
    neverHappens((passed) =>
      passed.find(
        ({ event, after: { effect } }) =>
          effect.name === 'callBank' && effect.call.kind === 'answer' && event.name !== 'answered',
      ),
    );
  });

  it('limits the time of a call only where its silence leads to another route, and before the user has done anything at the bank', () => {
    let limited = 0;
    neverHappens((passed, facts) =>
      passed.find(({ after: { phase, effect } }) => {
        if (effect.name !== 'callBank' || effect.patienceMs === undefined) return false;
        limited += 1;
        const silence = { name: 'callFailed', cause: 'institution_timeout' } as const;
        return (
          !['open', 'startRedirect'].includes(effect.call.kind) ||
          ![null, 'redirect'].includes(effect.from?.kind ?? null) ||
          decide(phase, silence, facts).effect.name !== 'takeNextRoute'
        );
      }),
    );
    expect(limited).toBeGreaterThan(100);
  });

  it('follows every answer of the user with a step', () => {
    neverHappens((passed) => {
      let isOpen = false;
      return passed.find(({ event, before, after }) => {
        if (event.name === 'answered' && before.phase.name !== 'succeeded') isOpen = true;
        if (SHOWS.has(after.effect.name) || isFinal(after.phase)) isOpen = false;
        return isOpen && after.effect.name === 'wait';
      });
    });
  });

  it('starts no login while no one watches', () => {
    neverHappens((passed) =>
      passed.find(
        ({ event, before, after }) =>
          before.phase.name === 'unopened' &&
          after.effect.name === 'beginLogin' &&
          !['opened', 'answered', 'wentBack'].includes(event.name),
      ),
    );
  });

  it('offers another bank only where the user may choose one', () => {
    neverHappens((passed, { mayChooseAnother }) =>
      passed.find(
        ({ after: { phase, effect } }) =>
          !mayChooseAnother &&
          (phase.name === 'choosingBank' || (effect.name === 'showBankStep' && effect.canGoBack)),
      ),
    );
  });
});
