import { EXTEND_EXISTING, LINK_SEPARATELY } from '../../../../domain/session/extension-offer.js';
import type {
  Attempt,
  BankStep,
  EventName,
  LoginAttempt,
  PhaseName,
  SessionEvent,
  SessionFacts,
  SessionPhase,
  StartedLogin,
} from '../../../../domain/session/session-phase.js';

/** A session whose user may choose any bank. */
export const ANY_BANK: SessionFacts = {
  mode: 'link',
  presetInstitutionId: null,
  mayChooseAnother: true,
};
export const ONE_BANK: SessionFacts = {
  mode: 'link',
  presetInstitutionId: 'bank',
  mayChooseAnother: false,
};
export const RELINK: SessionFacts = { ...ONE_BANK, mode: 'relink' };
export const ALL_FACTS = [ANY_BANK, ONE_BANK, RELINK];

export const LOGIN: StartedLogin = {
  linkId: 'mk_1',
  provider: 'fake',
  institutionId: 'bank',
  attemptKey: 'ses_1/1',
  mayRepeat: false,
};
export const CHOSEN: Attempt = {
  bank: 'bank',
  login: null,
  extension: 'undecided',
  hasFailedOver: false,
};
export const STARTED: LoginAttempt = { ...CHOSEN, login: LOGIN };
export const FORM: BankStep = { kind: 'form', isFirst: true, attemptsLeft: 3 };
export const REDIRECT: BankStep = { kind: 'redirect', isFirst: true, attemptsLeft: 3 };

/** The most common form of each phase. */
export const PHASE: { [P in PhaseName]: Extract<SessionPhase, { name: P }> } = {
  unopened: { name: 'unopened' },
  choosingBank: { name: 'choosingBank' },
  startingLogin: { name: 'startingLogin', attempt: CHOSEN, redirectId: null, failed: null },
  offeringExtension: { name: 'offeringExtension', attempt: CHOSEN },
  offeringRedirect: { name: 'offeringRedirect', attempt: CHOSEN, step: REDIRECT },
  callingBank: {
    name: 'callingBank',
    attempt: STARTED,
    call: { kind: 'open' },
    from: null,
    repeats: 0,
    mayFailOver: false,
    mayCancel: true,
  },
  answering: { name: 'answering', attempt: STARTED, step: FORM },
  waitingAtBank: {
    name: 'waitingAtBank',
    attempt: STARTED,
    step: { kind: 'wait', isFirst: false, attemptsLeft: 3 },
    repeats: 0,
  },
  awayAtBank: { name: 'awayAtBank', attempt: STARTED, step: REDIRECT },
  asking: {
    name: 'asking',
    attempt: STARTED,
    question: 'consent',
    questions: ['consent', 'select_accounts'],
  },
  finishing: { name: 'finishing', attempt: STARTED },
  showingProblem: { name: 'showingProblem', attempt: STARTED, cause: 'institution_down' },
  succeeded: { name: 'succeeded', attempt: STARTED, awaits: 'exchange' },
  over: { name: 'over', outcome: 'ended' },
};

/** The answer that fits the step of each phase, or any other answer if there is no step. */
export const FITTING_ANSWER: { [P in PhaseName]: Extract<SessionEvent, { name: 'answered' }> } = {
  unopened: answered({ kind: 'wait', cancel: true }),
  choosingBank: answered({ kind: 'select_institution', institution_id: 'bank' }),
  startingLogin: answered({ kind: 'wait', cancel: true }),
  offeringExtension: answered({ kind: 'choice', option_ids: [EXTEND_EXISTING] }),
  offeringRedirect: answered({ kind: 'redirect_start', redirectId: 'way-1' }),
  callingBank: answered({ kind: 'wait', cancel: true }),
  answering: answered({ kind: 'form', sealedAs: 'answer-1' }),
  waitingAtBank: answered({ kind: 'wait', cancel: true }),
  awayAtBank: answered({ kind: 'redirect_return', redirectId: 'way-1' }),
  asking: answered({ kind: 'consent', granted: ['accounts'] }),
  finishing: answered({ kind: 'wait', cancel: true }),
  showingProblem: answered({ kind: 'error', action: 'retry' }),
  succeeded: answered({ kind: 'wait', cancel: true }),
  over: answered({ kind: 'wait', cancel: true }),
};

/** The most common form of each event except the answer. */
export const EVENT: {
  [E in Exclude<EventName, 'answered'>]: Extract<SessionEvent, { name: E }>;
} = {
  opened: { name: 'opened' },
  wentBack: { name: 'wentBack' },
  exited: { name: 'exited' },
  canceled: { name: 'canceled' },
  stepTimeOver: { name: 'stepTimeOver' },
  sessionTimeOver: { name: 'sessionTimeOver' },
  tooManySteps: { name: 'tooManySteps' },
  exchanged: { name: 'exchanged' },
  endedElsewhere: { name: 'endedElsewhere' },
  shown: { name: 'shown' },
  loginStarted: { name: 'loginStarted', login: LOGIN },
  extensionFound: { name: 'extensionFound' },
  redirectFound: { name: 'redirectFound' },
  loginRefused: { name: 'loginRefused', problem: 'connect_error.trial_limit_reached' },
  linkExtended: { name: 'linkExtended' },
  nothingToExtend: { name: 'nothingToExtend' },
  noOtherRoute: { name: 'noOtherRoute' },
  finished: { name: 'finished' },
  finishRefused: { name: 'finishRefused' },
  changeRefused: { name: 'changeRefused' },
  bankAsked: { name: 'bankAsked', step: 'otp', attemptsLeft: null, expiresInMs: null },
  bankRefused: { name: 'bankRefused', step: 'form', attemptsLeft: 2, expiresInMs: null },
  bankAway: { name: 'bankAway', redirectId: 'way-1', expiresInMs: 900_000 },
  bankLinked: { name: 'bankLinked', questions: ['consent', 'select_accounts'] },
  callFailed: { name: 'callFailed', cause: 'institution_down' },
  callLost: { name: 'callLost', hasGrant: false, wasInterrupted: false },
};

export function answered(
  answer: Extract<SessionEvent, { name: 'answered' }>['answer'],
): Extract<SessionEvent, { name: 'answered' }> {
  return { name: 'answered', answer };
}

/** Other forms of events, which lead to other results in some phases. */
export const MORE_EVENTS: readonly SessionEvent[] = [
  answered({ kind: 'choice', option_ids: [LINK_SEPARATELY] }),
  answered({ kind: 'choice', option_ids: ['sms'] }),
  answered({ kind: 'otp', resend: true }),
  answered({ kind: 'otp', sealedAs: 'answer-2' }),
  answered({ kind: 'redirect', cancel: true }),
  answered({ kind: 'select_accounts', refs: ['a1'] }),
  answered({ kind: 'error', action: 'choose_another' }),
  { name: 'loginStarted', login: { ...LOGIN, mayRepeat: true } },
  { name: 'loginStarted', login: { ...LOGIN, patienceMs: 12_000 } },
  { name: 'loginStarted', login: { ...LOGIN, mayRepeat: true, isResumed: true } },
  { name: 'bankAsked', step: 'wait', attemptsLeft: null, expiresInMs: 60_000 },
  { name: 'bankAsked', step: 'choice', attemptsLeft: null, expiresInMs: null },
  { name: 'bankRefused', step: 'otp', attemptsLeft: null, expiresInMs: null },
  { name: 'bankRefused', step: 'form', attemptsLeft: 0, expiresInMs: null },
  { name: 'bankLinked', questions: [] },
  { name: 'bankLinked', questions: ['select_accounts'] },
  { name: 'callFailed', cause: 'user_denied' },
  { name: 'callLost', hasGrant: true, wasInterrupted: false },
  { name: 'callLost', hasGrant: true, wasInterrupted: true },
];
