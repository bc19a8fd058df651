import type { ProviderCause } from '../errors/provider-failure.js';
import type { RouteSummary } from '../institutions/route-summary.js';
import type { ConnectProblemId } from './connect-problem.js';
import type { Step, StepInput, StepKind } from './connect-step.js';
import { isExtensionOffer } from './extension-offer.js';
import type { LinkingQuestion } from './linking-questions.js';

/** The constant facts of a session. */
export interface SessionFacts {
  /** A relink leaves its link untouched until it succeeds. Source: link-lifecycle 8. */
  mode: 'link' | 'relink';
  /** The session is for this bank; null = the user chooses one. */
  presetInstitutionId: string | null;
  /** connect 5, rule 10. */
  mayChooseAnother: boolean;
}

/** The part of a login at a bank that a workflow may know. */
export interface StartedLogin {
  linkId: string;
  provider: string;
  institutionId: string;
  /** Repeating the same key repeats the same login (LoginContext.attemptKey). */
  attemptKey: string;
  /** A lost login may be repeated (ProviderFacts.idempotentLogin). */
  mayRepeat: boolean;
  /** Missing in a login that another run of the workflow started, and in one that continues. */
  route?: RouteSummary;
  /**
   * The time that its first call has before another route replaces it. Missing = no limit, also in
   * a login that another run of the workflow started.
   */
  patienceMs?: number;
  /**
   * The login continues with the permission that an earlier try received. Missing = it does not.
   */
  isResumed?: true;
}

/** The state of the choice of one bank, until the user leaves it. */
export interface Attempt {
  bank: string;
  /** Null = no login was started yet. */
  login: StartedLogin | null;
  /** link-lifecycle 2.5: the user's decision about an existing link at this bank. */
  extension: 'undecided' | 'extends' | 'separate';
  /** connect 5, rule 10: another provider is tried once for each start of a login. */
  hasFailedOver: boolean;
}

/** An attempt whose login was started. */
export type LoginAttempt = Attempt & { login: StartedLogin };

/** The last step that the bank requested: shown again when an answer to it is lost. */
export interface BankStep {
  kind: StepKind;
  /** No earlier step of this login exists, so that `back` returns to the choice of a bank. */
  isFirst: boolean;
  /** connect 5, rule 6: wrong answers until the login fails. */
  attemptsLeft: number;
}

/** Answers without secrets, which are passed as they are. */
export type PlainAnswer = Exclude<
  StepInput,
  { kind: 'form' } | { kind: 'image' } | { kind: 'otp'; code: string }
>;

/** An answer that was sealed into `session_secrets` (kind `answer`); only its name is passed. */
export interface SealedAnswer {
  kind: 'form' | 'otp' | 'image';
  sealedAs: string;
}

/**
 * Starts or completes a redirect to a bank's own pages (connect 7). `redirectId` is the id under which its
 * URL and codes are sealed.
 */
export interface RedirectMove {
  kind: 'redirect_start' | 'redirect_return';
  redirectId: string;
}

/** The user's answer to a step. */
export type Answer = Exclude<PlainAnswer, { kind: 'back' }> | SealedAnswer | RedirectMove;

/** One call of a login at its bank. */
export type BankCall =
  | { kind: 'open' }
  | { kind: 'startRedirect'; redirectId: string }
  | { kind: 'completeRedirect'; redirectId: string }
  | {
      kind: 'answer';
      answer: PlainAnswer | { sealedAs: string };
      /** Shown with a wrong answer if the bank does not count attempts itself. */
      attemptsLeft: number;
    }
  | { kind: 'poll' };

/** The state of a session. A phase holds exactly the facts needed to leave it. */
export type SessionPhase =
  /** Nothing is in progress until Connect opens the session. */
  | { name: 'unopened' }
  | { name: 'choosingBank' }
  /** A login is being started in the database. `redirectId`: the id of this redirect attempt. */
  | {
      name: 'startingLogin';
      attempt: Attempt;
      redirectId: string | null;
      /** The reason that the previous provider failed; null = there was none. */
      failed: ProviderCause | null;
    }
  /** link-lifecycle 2.5: the user chooses between the existing link and a new one. */
  | { name: 'offeringExtension'; attempt: Attempt }
  /** connect 7, step 1: the user may leave for the bank's own pages. */
  | { name: 'offeringRedirect'; attempt: Attempt; step: BankStep }
  | {
      name: 'callingBank';
      attempt: LoginAttempt;
      call: BankCall;
      /** The step that the call answers; null = the login does not have one yet. */
      from: BankStep | null;
      /** The number of times the call is repeated when its outcome is lost. */
      repeats: number;
      /** The user has not done anything at the bank yet, so another provider may be tried. */
      mayFailOver: boolean;
      /** The user may return to the previous step once the soft reply is shown. */
      mayCancel: boolean;
    }
  /** The bank's step waits for the user. */
  | { name: 'answering'; attempt: LoginAttempt; step: BankStep }
  /** The bank waits for the user elsewhere, and is polled. */
  | { name: 'waitingAtBank'; attempt: LoginAttempt; step: BankStep; repeats: number }
  /** connect 7: the user is on the bank's own pages. */
  | { name: 'awayAtBank'; attempt: LoginAttempt; step: BankStep }
  /** The bank accepted the login. Source: link-lifecycle 4. */
  | {
      name: 'asking';
      attempt: Attempt;
      question: LinkingQuestion;
      questions: readonly LinkingQuestion[];
    }
  /** Every question is answered, and the result is being stored. */
  | { name: 'finishing'; attempt: Attempt }
  /** `attempt`: null = no bank was chosen. `cause`: the cause of a failed login. */
  | { name: 'showingProblem'; attempt: Attempt | null; cause: ProviderCause | null }
  /** Only the exchange of the token can follow, or nothing. */
  | { name: 'succeeded'; attempt: Attempt | null; awaits: 'exchange' | 'nothing' }
  | { name: 'over'; outcome: 'exchanged' | 'ended' };

export type PhaseName = SessionPhase['name'];
export type PhaseNamed<N extends PhaseName> = Extract<SessionPhase, { name: N }>;

/** A step that the bank requests. */
interface AskedStep {
  step: StepKind;
  attemptsLeft: number | null;
  expiresInMs: number | null;
}

/** The events of a session. Every result of an activity is an event. */
export type SessionEvent =
  | AnytimeEvent
  | StepEvent
  | LoginStartEvent
  | CallEvent
  | { name: 'opened' }
  | { name: 'stepTimeOver' }
  /** A rule of the app forbids the link at the end. */
  | { name: 'finishRefused' };

/** Can happen in every phase before success. */
export type AnytimeEvent =
  /** The step of the phase is stored. */
  | { name: 'shown' }
  | { name: 'exited' }
  | { name: 'sessionTimeOver' }
  | { name: 'tooManySteps' }
  | { name: 'endedElsewhere' }
  | { name: 'exchanged' }
  | { name: 'finished' }
  /** The link or the session changed in the meantime, for example by a deletion. */
  | { name: 'changeRefused' };

/** The user acts on the step that is shown. */
export type StepEvent = { name: 'answered'; answer: Answer } | { name: 'wentBack' };

/** The database started a login, or refused to. */
export type LoginStartEvent =
  | { name: 'loginStarted'; login: StartedLogin }
  | { name: 'extensionFound' }
  | { name: 'redirectFound' }
  | { name: 'loginRefused'; problem: ConnectProblemId }
  | { name: 'linkExtended' }
  | { name: 'nothingToExtend' }
  | { name: 'noOtherRoute' };

/** A call of the bank ended. */
export type CallEvent =
  | ({ name: 'bankAsked' } & AskedStep)
  /** The bank requests the same input again: the answer was wrong. */
  | ({ name: 'bankRefused' } & AskedStep)
  | { name: 'bankAway'; redirectId: string; expiresInMs: number }
  | { name: 'bankLinked'; questions: readonly LinkingQuestion[] }
  | { name: 'callFailed'; cause: ProviderCause }
  /**
   * The worker died during the call, and the bank's response is unknown. `hasGrant`: the permission
   * that the login received is kept. `wasInterrupted`: the user or a deadline ended it.
   */
  | { name: 'callLost'; hasGrant: boolean; wasInterrupted: boolean }
  /** connect 5, rule 11: a wait was left, and its call was canceled in time. */
  | { name: 'canceled' };

export type EventName = SessionEvent['name'];
export type EventNamed<N extends EventName> = Extract<SessionEvent, { name: N }>;

/**
 * The phases that the row of a session can name. The other two last for a single database
 * transaction, and a session that is resumed during it continues from the previous phase.
 */
export type RowPhase = Exclude<PhaseName, 'startingLogin' | 'finishing'>;

/**
 * The phase of a row, derived from the step that it shows. `before`: the phase that it named until
 * now.
 */
export function phaseShowing(
  step: Step,
  {
    before,
    prepared,
  }: { before: RowPhase; /** The bank's last step. */ prepared: StepKind | null },
): RowPhase {
  switch (step.kind) {
    case 'select_institution':
      return 'choosingBank';
    case 'redirect':
      return step.started ? 'awayAtBank' : 'offeringRedirect';
    case 'choice':
      return isExtensionOffer(step) ? 'offeringExtension' : 'answering';
    case 'form':
    case 'otp':
    case 'image':
      return 'answering';
    case 'wait':
      return phaseWaiting({ before, prepared });
    case 'consent':
    case 'select_accounts':
      return 'asking';
    case 'error':
      return 'showingProblem';
    case 'success':
      return 'succeeded';
  }
}

/** The phase behind a `wait`: a login that the bank accepted stays accepted. */
export function phaseWaiting({
  before,
  prepared,
}: {
  before: RowPhase;
  prepared: StepKind | null;
}): RowPhase {
  if (before === 'asking') return 'asking';
  return prepared === 'wait' ? 'waitingAtBank' : 'callingBank';
}
