import type { ConnectProblemId } from '../../domain/session/connect-problem.js';
import type { StepContent, StepKind } from '../../domain/session/connect-step.js';
import type { LinkError, LinkState } from '../../domain/link/link-state.js';
import type { LinkingQuestion } from '../../domain/session/linking-questions.js';
import type { RouteSummary } from '../../domain/institutions/route-summary.js';
import type { Product } from '../../domain/link/products.js';

/**
 * What a workflow may know of a session. Of a step only the kind, because the rest may hold the
 * bank's words or an image.
 */
export interface SessionSnapshot {
  state: SessionState;
  seq: number;
  stepKind: StepKind | null;
  preparedKind: StepKind | null;
  /** The bank accepted the login of the current attempt. */
  bankAccepted: boolean;
  /** Questions that follow the login. */
  questions: LinkingQuestion[];
  presetInstitutionId: string | null;
  /** The user was offered to extend an existing link, or chose to. Missing = neither. */
  extension?: 'offered' | 'chosen';
  /** Chosen in the current attempt. */
  institutionId: string | null;
  mayChooseAnother: boolean;
  /** The login in progress at the bank. */
  login: StartedLogin | null;
  /** The login received a permission whose accounts are not listed yet. Missing = it did not. */
  hasGrant?: true;
  /** Milliseconds until the step expires; null = no limit of its own. */
  stepExpiresInMs: number | null;
}

export type SessionState = 'open' | 'succeeded' | 'ended';

export interface StartedLogin {
  linkId: string;
  provider: string;
  institutionId: string;
  /** Repeating the same key repeats the same login (LoginContext.attemptKey). */
  attemptKey: string;
  /** A lost login may be retried (ProviderFacts.idempotentLogin). */
  mayRepeat: boolean;
  /** Missing in a login that another run of the workflow began, and in one that continues. */
  route?: RouteSummary;
  /** It continues with what an earlier try received. Missing = it does not. */
  isResumed?: true;
}

/** The bank logs users in on its own pages; the login starts when the user goes there. */
export interface OfferedRedirect {
  redirectTo: string;
}

/** link-lifecycle 2.5: the user already has a link at this institution and is asked first. */
export interface OfferedExtension {
  extensionAt: string;
}

/** Why no login was started, as a problem Connect can show. */
export interface RefusedLogin {
  problem: ConnectProblemId;
}

export interface Deadline {
  state: SessionState;
  /** Milliseconds until something may be due; null = nothing to wait for. */
  lookAgainInMs: number | null;
  /** The link of the attempt, null = there is none; missing = it was not read. */
  link?: { state: LinkState; error: LinkError | null } | null;
}

/** The next step to show: its number, and whether it follows from an accepted answer. */
export interface NextStep {
  sessionId: string;
  seq: number;
  accepted: boolean;
}

/** The user's answer to a question. */
export interface QuestionAnswer {
  granted?: Product[];
  /** Accounts, by their refs in the step. */
  refs?: string[] | 'all';
}

/** Steps a workflow builds itself; they contain nothing from the bank or the user. */
export type WorkflowStep = Extract<StepContent, { kind: 'select_institution' | 'wait' }>;
