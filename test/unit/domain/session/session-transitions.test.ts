import { EXTEND_EXISTING, LINK_SEPARATELY } from '../../../../domain/session/extension-offer.js';
import type { Decision } from '../../../../domain/session/session-effect.js';
import type {
  EventName,
  PhaseName,
  SessionEvent,
  SessionFacts,
  SessionPhase,
} from '../../../../domain/session/session-phase.js';
import {
  decide,
  EVENTS,
  expects,
  isFinal,
  PHASES,
} from '../../../../domain/session/session-transitions.js';
import {
  answered,
  ANY_BANK,
  CHOSEN,
  EVENT,
  FITTING_ANSWER,
  FORM,
  LOGIN,
  ONE_BANK,
  PHASE,
  REDIRECT,
  RELINK,
  STARTED,
} from './session-samples.js';
import { EXPECTED } from './expected-transitions.js';

const sampleOf = (phase: PhaseName, event: EventName): SessionEvent =>
  event === 'answered' ? FITTING_ANSWER[phase] : EVENT[event];
const CELLS = PHASES.flatMap((phase) => EVENTS.map((event) => [phase, event] as const));
const next = (phase: SessionPhase, event: SessionEvent, facts: SessionFacts = ANY_BANK): string => {
  const decision = decide(phase, event, facts);
  return `${decision.phase.name}: ${decision.effect.name}`;
};

describe('The table of a session', () => {
  it.each(CELLS)('%s, %s', (phase, event) => {
    const expected = EXPECTED[phase][event];
    expect(expects(phase, event)).toBe(expected !== undefined);
    expect(next(PHASE[phase], sampleOf(phase, event))).toBe(expected ?? `${phase}: wait`);
  });
});

describe('A session for one bank', () => {
  it('starts with the login of its bank', () => {
    expect(decide(PHASE.unopened, EVENT.opened, ONE_BANK)).toEqual({
      phase: PHASE.startingLogin,
      effect: {
        name: 'beginLogin',
        bank: 'bank',
        separateLink: false,
        isRetry: false,
        isRelink: false,
      },
    });
  });

  it('waits to be opened again after an exit', () => {
    expect(next(PHASE.answering, EVENT.exited, ONE_BANK)).toBe('unopened: leaveAttempt');
  });

  it('offers no other bank when there is no step to return to', () => {
    expect(next(PHASE.callingBank, EVENT.callLost, RELINK)).toBe('showingProblem: showProblem');
    expect(next(PHASE.answering, EVENT.wentBack, ONE_BANK)).toBe('showingProblem: showProblem');
  });

  it.each([ONE_BANK, RELINK])('never offers to go back from the first step', (facts) => {
    expect(decide(PHASE.callingBank, EVENT.bankAsked, facts).effect).toMatchObject({
      canGoBack: false,
    });
  });
});

describe('A login', () => {
  const callFrom = (from: typeof FORM | null) => ({ ...PHASE.callingBank, from });

  it('can be left at its first step, and at that step again after a wrong answer', () => {
    const asked = decide(callFrom(null), EVENT.bankAsked, ANY_BANK);
    expect(asked.effect).toMatchObject({ canGoBack: true });
    expect(decide(callFrom(FORM), EVENT.bankRefused, ANY_BANK).effect).toMatchObject({
      canGoBack: true,
    });
    expect(decide(callFrom(FORM), EVENT.bankAsked, ANY_BANK).effect).toMatchObject({
      canGoBack: false,
    });
  });

  it('is repeated when its outcome is lost, as often as that is harmless', () => {
    const login = decide(
      PHASE.startingLogin,
      { name: 'loginStarted', login: { ...LOGIN, mayRepeat: true } },
      ANY_BANK,
    );
    const first = decide(login.phase, EVENT.callLost, ANY_BANK);
    const second = decide(first.phase, EVENT.callLost, ANY_BANK);
    expect([first, second].map(({ effect }) => effect)).toEqual([login.effect, login.effect]);
    expect(next(second.phase, EVENT.callLost)).toBe('choosingBank: showBankChoice');
  });

  it('tries another provider once, and only before the user has done anything', () => {
    const login = decide(PHASE.startingLogin, EVENT.loginStarted, ANY_BANK);
    const failed = decide(login.phase, EVENT.callFailed, ANY_BANK);
    expect(failed.effect).toEqual({
      name: 'takeNextRoute',
      login: LOGIN,
      cause: 'institution_down',
      isRelink: false,
    });
    expect(next(login.phase, { name: 'callFailed', cause: 'user_denied' })).toBe(
      'showingProblem: failLogin',
    );
    const elsewhere = decide(failed.phase, EVENT.loginStarted, ANY_BANK);
    expect(next(elsewhere.phase, EVENT.callFailed)).toBe('showingProblem: failLogin');
    expect(decide(failed.phase, EVENT.noOtherRoute, ANY_BANK).effect).toMatchObject({
      cause: 'institution_down',
    });
    const answering = decide(PHASE.answering, FITTING_ANSWER.answering, ANY_BANK);
    expect(next(answering.phase, EVENT.callFailed)).toBe('showingProblem: failLogin');
  });

  it('tries another provider for the first redirect, and for none after it', () => {
    const redirectOf = (attempt: typeof CHOSEN) =>
      decide(
        { name: 'startingLogin', attempt, redirectId: 'way-1', failed: null },
        EVENT.loginStarted,
        ANY_BANK,
      ).phase;
    expect(next(redirectOf(CHOSEN), EVENT.callFailed)).toBe('startingLogin: takeNextRoute');
    expect(next(redirectOf(STARTED), EVENT.callFailed)).toBe('showingProblem: failLogin');
  });

  it('continues with the received permission when its outcome is lost, once', () => {
    const lost = { name: 'callLost', hasGrant: true, wasInterrupted: false } as const;
    const called = { ...PHASE.callingBank, from: FORM };
    expect(decide(called, lost, ANY_BANK).effect).toMatchObject({
      name: 'beginLogin',
      isRetry: true,
    });
    expect(next(called, { ...lost, wasInterrupted: true })).toBe('answering: showBankStep');
    const resumed = { ...STARTED, login: { ...LOGIN, isResumed: true as const } };
    expect(next({ ...called, attempt: resumed }, lost)).toBe('showingProblem: failLogin');
  });

  it('returns to its redirect, or starts again at the bank, when the user cancels a wait', () => {
    expect(next(callFrom(FORM), EVENT.canceled)).toBe('startingLogin: beginLogin');
    expect(next(callFrom(REDIRECT), EVENT.canceled)).toBe('offeringRedirect: showBankStep');
  });

  it('polls the bank while the user waits there, and shows the wait before polling', () => {
    const wait = { ...EVENT.bankAsked, step: 'wait' as const, expiresInMs: 60_000 };
    const asked = decide(PHASE.callingBank, wait, ANY_BANK);
    expect(asked.effect).toMatchObject({ name: 'showBankStep', expiresInMs: 60_000 });
    expect(decide(asked.phase, EVENT.shown, ANY_BANK).effect).toMatchObject({
      name: 'callBank',
      call: { kind: 'poll' },
    });
  });

  it.each([
    ['form', 'invalid_credentials'],
    ['otp', 'mfa_failed'],
  ] as const)('fails after the last wrong answer to a step of kind %s', (kind, cause) => {
    const refused = { ...EVENT.bankRefused, attemptsLeft: 0 };
    const { effect } = decide(callFrom({ ...FORM, kind }), refused, ANY_BANK);
    expect(effect).toEqual({ name: 'failLogin', cause, isRelink: false });
  });

  it('counts wrong answers where the bank does not, and counts none for a lost answer or a resent code', () => {
    const answer = (attemptsLeft: number, input = FITTING_ANSWER.answering) =>
      decide({ ...PHASE.answering, step: { ...FORM, attemptsLeft } }, input, ANY_BANK);
    const attemptsOf = ({ phase }: Decision) =>
      phase.name === 'answering' ? phase.step.attemptsLeft : null;
    expect(answer(3).effect).toMatchObject({ call: { attemptsLeft: 2 } });
    const uncounted = { ...EVENT.bankRefused, attemptsLeft: null };
    expect(attemptsOf(decide(answer(3).phase, uncounted, ANY_BANK))).toBe(2);
    expect(attemptsOf(decide(answer(2).phase, EVENT.callLost, ANY_BANK))).toBe(2);
    const resent = answer(2, answered({ kind: 'otp', resend: true }));
    expect(resent.effect).toMatchObject({ call: { attemptsLeft: 2 } });
    expect(attemptsOf(decide(resent.phase, EVENT.bankAsked, ANY_BANK))).toBe(2);
    expect(attemptsOf(decide(answer(2).phase, EVENT.bankAsked, ANY_BANK))).toBe(3);
  });

  it('shows its step again for an answer to another step', () => {
    const other = answered({ kind: 'redirect', cancel: true });
    expect(next(PHASE.answering, other)).toBe('answering: showBankStep');
    expect(next(PHASE.awayAtBank, other)).toBe('offeringRedirect: showBankStep');
    expect(next(PHASE.asking, other)).toBe('asking: showQuestion');
    expect(next(PHASE.offeringExtension, other)).toBe('offeringExtension: showExtensionOffer');
  });

  it('redeems no code before a redirect was started', () => {
    const returned = answered({ kind: 'redirect_return', redirectId: 'way-1' });
    expect(next(PHASE.offeringRedirect, returned)).toBe('offeringRedirect: showBankStep');
  });
});

describe('The questions after a login', () => {
  it('are shown one after another, and end in the result', () => {
    expect(decide(PHASE.asking, FITTING_ANSWER.asking, ANY_BANK).effect).toEqual({
      name: 'showQuestion',
      question: 'select_accounts',
      canGoBack: true,
      answers: { granted: ['accounts'] },
    });
    const accounts = { ...PHASE.asking, question: 'select_accounts' as const };
    const chosen = answered({ kind: 'select_accounts', refs: ['a1'] });
    expect(decide(accounts, chosen, ANY_BANK).effect).toEqual({
      name: 'finish',
      answers: { refs: ['a1'] },
      isRelink: false,
    });
    expect(next(accounts, EVENT.wentBack)).toBe('asking: showQuestion');
    const onlyConsent = { ...PHASE.asking, questions: ['consent' as const] };
    expect(next(onlyConsent, FITTING_ANSWER.asking)).toBe('finishing: finish');
  });

  it('are skipped when there are none', () => {
    expect(next(PHASE.callingBank, { name: 'bankLinked', questions: [] })).toBe(
      'finishing: finish',
    );
  });
});

describe('The offer to extend a link', () => {
  const extending = { ...STARTED, extension: 'extends' as const };

  it('starts a login of its own if the user wants a separate link', () => {
    const { effect } = decide(
      PHASE.offeringExtension,
      answered({ kind: 'choice', option_ids: [LINK_SEPARATELY] }),
      ANY_BANK,
    );
    expect(effect).toMatchObject({ name: 'beginLogin', separateLink: true, isRelink: false });
  });

  it('makes the session a relink, which issues no token', () => {
    const extended = decide(
      PHASE.offeringExtension,
      answered({ kind: 'choice', option_ids: [EXTEND_EXISTING] }),
      ANY_BANK,
    );
    expect(decide(extended.phase, EVENT.linkExtended, ANY_BANK).effect).toMatchObject({
      name: 'beginLogin',
      isRelink: true,
    });
    const { phase } = decide({ name: 'finishing', attempt: extending }, EVENT.finished, ANY_BANK);
    expect(phase).toEqual({ name: 'succeeded', attempt: extending, awaits: 'nothing' });
    expect(isFinal(phase)).toBe(true);
  });

  it.each(['wentBack', 'exited'] as const)('is undone when the user leaves: %s', (event) => {
    const { effect } = decide({ ...PHASE.answering, attempt: extending }, EVENT[event], ANY_BANK);
    expect(effect).toMatchObject({ forgetsExtension: true });
  });
});

describe('Success', () => {
  it.each([
    [ANY_BANK, 'exchange'],
    [ONE_BANK, 'exchange'],
    [RELINK, 'nothing'],
  ] as const)('awaits an exchange only in a session for a new link', (facts, awaits) => {
    const { phase } = decide(PHASE.finishing, EVENT.finished, facts);
    expect(phase).toEqual({ name: 'succeeded', attempt: STARTED, awaits });
  });

  it('without a token is final', () => {
    const done = { ...PHASE.succeeded, awaits: 'nothing' } as const;
    for (const event of Object.values(EVENT))
      expect(decide(done, event, RELINK)).toEqual({ phase: done, effect: { name: 'wait' } });
  });
});
