import type { Decision } from './session-effect.js';
import type {
  Attempt,
  BankCall,
  BankStep,
  EventNamed,
  LoginAttempt,
  PhaseNamed,
  SessionFacts,
} from './session-phase.js';
import { begin, chooseBank, fail, MAX_ATTEMPTS, REDIRECT } from './session-moves.js';

/** The number of times a lost call is repeated, if repeating is safe. */
const MAX_REPEATS = 2;

// ---- calls of the bank ----

type CallPhase = PhaseNamed<'callingBank'>;

function callBank(phase: Omit<CallPhase, 'name'>): Decision {
  const { attempt, call, from, mayFailOver } = phase;
  const { patienceMs } = attempt.login;
  const isLimited = mayFailOver && !attempt.hasFailedOver && patienceMs !== undefined;
  return {
    phase: { name: 'callingBank', ...phase },
    effect: { name: 'callBank', attempt, call, from, ...(isLimited ? { patienceMs } : {}) },
  };
}

export function openLogin(attempt: LoginAttempt, { mayChooseAnother }: SessionFacts): Decision {
  const { mayRepeat, isResumed = false } = attempt.login;
  return callBank({
    attempt,
    call: { kind: 'open' },
    from: null,
    repeats: mayRepeat ? MAX_REPEATS : 0,
    mayFailOver: !isResumed,
    mayCancel: mayChooseAnother,
  });
}

/** `isFirst`: after an earlier redirect of this login the user may have been at the bank. */
export function startRedirect(
  attempt: LoginAttempt,
  redirectId: string,
  { isFirst }: { isFirst: boolean },
): Decision {
  return callBank({
    attempt,
    call: { kind: 'startRedirect', redirectId },
    from: REDIRECT,
    repeats: attempt.login.mayRepeat ? MAX_REPEATS : 0,
    mayFailOver: isFirst,
    mayCancel: true,
  });
}

/** A call with a password, answer or code that must not reach the bank twice. */
export function callOnce(attempt: LoginAttempt, from: BankStep, call: BankCall): Decision {
  return callBank({ attempt, call, from, repeats: 0, mayFailOver: false, mayCancel: true });
}

export function submit(
  attempt: LoginAttempt,
  from: BankStep,
  answer: Extract<BankCall, { kind: 'answer' }>['answer'],
): Decision {
  const attemptsLeft = isResend(answer) ? from.attemptsLeft : Math.max(0, from.attemptsLeft - 1);
  return callOnce(attempt, from, { kind: 'answer', answer, attemptsLeft });
}

/** Waits while the user does something elsewhere. */
export function poll(attempt: LoginAttempt, step: BankStep, repeats = MAX_REPEATS): Decision {
  return {
    phase: { name: 'waitingAtBank', attempt, step, repeats },
    effect: { name: 'callBank', attempt, call: { kind: 'poll' }, from: step },
  };
}

export function callAgain(phase: CallPhase): Decision {
  return callBank({ ...phase, repeats: phase.repeats - 1 });
}

/** A request to resend a code is the only answer to a code step that is not sealed. */
export function isResend(answer: Extract<BankCall, { kind: 'answer' }>['answer']): boolean {
  return 'kind' in answer && answer.kind === 'otp';
}

// ---- responses of the bank ----

type Asked = Pick<EventNamed<'bankAsked'>, 'step' | 'expiresInMs'>;

export function askStep(
  attempt: LoginAttempt,
  { step: kind, expiresInMs }: Asked,
  { isFirst, attemptsLeft }: Omit<BankStep, 'kind'>,
  { mayChooseAnother }: SessionFacts,
): Decision {
  const step = { kind, isFirst, attemptsLeft };
  return {
    phase:
      kind === 'wait'
        ? { name: 'waitingAtBank', attempt, step, repeats: MAX_REPEATS }
        : { name: 'answering', attempt, step },
    effect: {
      name: 'showBankStep',
      step,
      canGoBack: isFirst && mayChooseAnother,
      interrupted: false,
      expiresInMs,
    },
  };
}

/**
 * connect 5, rule 6: the same step again, or the end of the login after the last attempt.
 * `from`: the step that was answered; null = the login itself was refused.
 */
export function refuseAnswer(
  attempt: LoginAttempt,
  from: BankStep | null,
  event: EventNamed<'bankRefused'>,
  facts: SessionFacts,
): Decision {
  const attemptsLeft = event.attemptsLeft ?? (from?.attemptsLeft ?? MAX_ATTEMPTS) - 1;
  if (attemptsLeft <= 0)
    return fail(attempt, from?.kind === 'form' ? 'invalid_credentials' : 'mfa_failed', facts);
  return askStep(attempt, event, { isFirst: from?.isFirst ?? true, attemptsLeft }, facts);
}

/** connect 7: the step stays prepared while the user is on the bank's own pages. */
export function sendAway(
  attempt: LoginAttempt,
  step: BankStep,
  { redirectId, expiresInMs }: EventNamed<'bankAway'>,
  { mayChooseAnother }: SessionFacts,
): Decision {
  return {
    phase: { name: 'awayAtBank', attempt, step },
    effect: {
      name: 'showAway',
      redirectId,
      canGoBack: step.isFirst && mayChooseAnother,
      expiresInMs,
    },
  };
}

/**
 * Shows the bank's last step again, or the choice of a bank if there is none. connect 5, rules 11
 * and 12.
 */
export function showAgain(
  attempt: Attempt,
  from: BankStep | null,
  facts: SessionFacts,
  { interrupted }: { interrupted: boolean },
): Decision {
  const { login } = attempt;
  if (from === null || (login === null && from.kind !== 'redirect'))
    return chooseBank(attempt, facts, { interrupted });
  const canGoBack = from.isFirst && facts.mayChooseAnother;
  const effect = {
    name: 'showBankStep',
    step: from,
    canGoBack,
    interrupted,
    expiresInMs: null,
  } as const;
  if (from.kind === 'redirect' || login === null)
    return { phase: { name: 'offeringRedirect', attempt, step: from }, effect };
  const started = { ...attempt, login };
  return from.kind === 'wait'
    ? {
        phase: { name: 'waitingAtBank', attempt: started, step: from, repeats: MAX_REPEATS },
        effect,
      }
    : { phase: { name: 'answering', attempt: started, step: from }, effect };
}

/**
 * A call whose outcome stays unknown. The bank will not accept the same token or code again, but a
 * permission that it opened is kept. Source: connect 5, rule 12.
 */
export function lose(
  attempt: LoginAttempt,
  from: BankStep | null,
  { hasGrant, wasInterrupted }: EventNamed<'callLost'>,
  facts: SessionFacts,
): Decision {
  if (!hasGrant || wasInterrupted) return showAgain(attempt, from, facts, { interrupted: true });
  return attempt.login.isResumed === true
    ? fail(attempt, 'internal', facts)
    : begin(attempt, facts, { isRetry: true });
}
