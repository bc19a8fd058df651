import type { ProviderCause } from '../errors/provider-failure.js';
import type { ConnectProblemId } from './connect-problem.js';
import type { LinkingQuestion } from './linking-questions.js';
import type { Decision, QuestionAnswer } from './session-effect.js';
import type {
  Attempt,
  BankStep,
  LoginAttempt,
  PhaseNamed,
  SessionFacts,
  SessionPhase,
} from './session-phase.js';

/** connect 5, rule 6: attempts per step, unless the bank counts itself. */
export const MAX_ATTEMPTS = 3;

/** The redirect before the user starts it. */
export const REDIRECT: BankStep = { kind: 'redirect', isFirst: true, attemptsLeft: MAX_ATTEMPTS };

/** The attempt of a bank that was just chosen. */
export function chosen(bank: string): Attempt {
  return { bank, login: null, extension: 'undecided', hasFailedOver: false };
}

/** An attempt at the session's preset bank; null = the user chooses one. */
export function presetAttempt({ presetInstitutionId }: SessionFacts): Attempt | null {
  return presetInstitutionId === null ? null : chosen(presetInstitutionId);
}

/** Success repairs or extends an existing link, and issues no token. */
export function isRelink(attempt: Attempt | null, { mode }: SessionFacts): boolean {
  return mode === 'relink' || attempt?.extension === 'extends';
}

/** From accounts back to consent, and no further: an accepted login cannot be undone. */
export function canReturnToConsent({
  question,
  questions,
}: Pick<PhaseNamed<'asking'>, 'question' | 'questions'>): boolean {
  return question === 'select_accounts' && questions.includes('consent');
}

export const stay = (phase: SessionPhase): Decision => ({ phase, effect: { name: 'wait' } });

export const over = (outcome: 'exchanged' | 'ended'): Decision => ({
  phase: { name: 'over', outcome },
  effect: { name: 'wait' },
});

// ---- the choice of a bank ----

/** link-lifecycle 4: a session for one bank has no first step and starts with its login. */
export function start(facts: SessionFacts): Decision {
  const attempt = presetAttempt(facts);
  return attempt === null ? chooseBank(null, facts) : begin(attempt, facts);
}

/** Also undoes the decision about an existing link, which is no longer part of the session. */
export function chooseBank(
  attempt: Attempt | null,
  { mayChooseAnother }: SessionFacts,
  { interrupted = false } = {},
): Decision {
  if (!mayChooseAnother) return showProblem(attempt, 'connect_error.internal');
  return {
    phase: { name: 'choosingBank' },
    effect: { name: 'showBankChoice', interrupted, forgetsExtension: extendsLink(attempt) },
  };
}

/**
 * connect 4: an exit ends the attempt, not the session, which starts over when it is opened again.
 * A session for one bank must not log in while no one watches.
 */
export function leave(attempt: Attempt | null, facts: SessionFacts): Decision {
  const isForOneBank = facts.presetInstitutionId !== null;
  return {
    phase: { name: isForOneBank ? 'unopened' : 'choosingBank' },
    effect: {
      name: 'leaveAttempt',
      isForOneBank,
      isRelink: facts.mode === 'relink',
      forgetsExtension: extendsLink(attempt),
    },
  };
}

const extendsLink = (attempt: Attempt | null): boolean => attempt?.extension === 'extends';

// ---- the start of a login ----

/** `isRetry`: after a failure, the login continues with the permission that it received before. */
export function begin(attempt: Attempt, facts: SessionFacts, { isRetry = false } = {}): Decision {
  return {
    phase: {
      name: 'startingLogin',
      attempt: { ...attempt, hasFailedOver: false },
      redirectId: null,
      failed: null,
    },
    effect: {
      name: 'beginLogin',
      bank: attempt.bank,
      separateLink: attempt.extension === 'separate',
      isRetry,
      isRelink: isRelink(attempt, facts),
    },
  };
}

/** link-lifecycle 2.5: precedes the login; nothing has started yet. */
export function offerExtension(
  attempt: Attempt,
  { mayChooseAnother }: SessionFacts,
  { interrupted = false } = {},
): Decision {
  return {
    phase: {
      name: 'offeringExtension',
      attempt: { ...attempt, login: null, extension: 'undecided' },
    },
    effect: { name: 'showExtensionOffer', canGoBack: mayChooseAnother, interrupted },
  };
}

export function extendLink(attempt: Attempt): Decision {
  return {
    phase: { name: 'startingLogin', attempt, redirectId: null, failed: null },
    effect: { name: 'extendLink' },
  };
}

/** connect 7, step 1: the login starts when the user leaves for the bank's own pages. */
export function beginRedirect(attempt: Attempt, redirectId: string, facts: SessionFacts): Decision {
  return {
    phase: { name: 'startingLogin', attempt, redirectId, failed: null },
    effect: { name: 'beginRedirect', bank: attempt.bank, isRelink: isRelink(attempt, facts) },
  };
}

/** connect 5, rule 10: the login continues through another provider, if there is one. */
export function takeNextRoute(
  attempt: LoginAttempt,
  cause: ProviderCause,
  facts: SessionFacts,
): Decision {
  return {
    phase: {
      name: 'startingLogin',
      attempt: { ...attempt, hasFailedOver: true },
      redirectId: null,
      failed: cause,
    },
    effect: {
      name: 'takeNextRoute',
      login: attempt.login,
      cause,
      isRelink: isRelink(attempt, facts),
    },
  };
}

// ---- problems ----

export function fail(attempt: Attempt, cause: ProviderCause, facts: SessionFacts): Decision {
  return {
    phase: { name: 'showingProblem', attempt, cause },
    effect: { name: 'failLogin', cause, isRelink: isRelink(attempt, facts) },
  };
}

export function showProblem(attempt: Attempt | null, problem: ConnectProblemId): Decision {
  return {
    phase: { name: 'showingProblem', attempt, cause: null },
    effect: { name: 'showProblem', problem },
  };
}

// ---- after the bank accepted the login: link-lifecycle 4 ----

/** Asks the first question, or finishes when there is none. */
export function continueLinked(
  attempt: Attempt,
  questions: readonly LinkingQuestion[],
  facts: SessionFacts,
): Decision {
  const [first] = questions;
  return first === undefined ? finish(attempt, {}, facts) : ask(attempt, first, questions);
}

export function ask(
  attempt: Attempt,
  question: LinkingQuestion,
  questions: readonly LinkingQuestion[],
  answers: QuestionAnswer = {},
): Decision {
  return {
    phase: { name: 'asking', attempt, question, questions },
    effect: {
      name: 'showQuestion',
      question,
      canGoBack: canReturnToConsent({ question, questions }),
      answers,
    },
  };
}

export function finish(attempt: Attempt, answers: QuestionAnswer, facts: SessionFacts): Decision {
  return {
    phase: { name: 'finishing', attempt },
    effect: { name: 'finish', answers, isRelink: isRelink(attempt, facts) },
  };
}

export function succeeded(attempt: Attempt | null, facts: SessionFacts): Decision {
  return stay({
    name: 'succeeded',
    attempt,
    awaits: isRelink(attempt, facts) ? 'nothing' : 'exchange',
  });
}
