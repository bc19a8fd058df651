import type { ConnectProblemId } from '../../domain/session/connect-problem.js';
import type { StepContent, StepKind } from '../../domain/session/connect-step.js';
import type { LinkError, LinkState } from '../../domain/link/link-state.js';
import type { LinkingQuestion } from '../../domain/session/linking-questions.js';
import type { Product } from '../../domain/link/products.js';

/** What a workflow may know of a session: of a step only its kind, since the rest may be the bank's words or a picture. */
export interface SessionStanding {
  state: SessionState;
  seq: number;
  stepKind: StepKind | null;
  preparedKind: StepKind | null;
  /** The bank accepted the login of the current attempt. */
  bankAccepted: boolean;
  /** What the user is asked after that; missing in histories from before there were questions. */
  questions?: LinkingQuestion[];
  presetInstitutionId: string | null;
  /** The user is asked whether to extend the link there is; or has said so. Missing = no. */
  extension?: 'offered' | 'chosen';
  /** Chosen in the current attempt. */
  institutionId: string | null;
  mayChooseAnother: boolean;
  /** The login under way at the bank, if there is one. */
  login: StartedLogin | null;
  /** Until the time for the step is over; null = it has no limit of its own. */
  stepExpiresInMs: number | null;
}

export type SessionState = 'open' | 'succeeded' | 'ended';

export interface StartedLogin {
  linkId: string;
  provider: string;
  institutionId: string;
  /** The same key again is the same login (LoginContext.attemptKey). */
  attemptKey: string;
  /** A lost login may be sent again (ProviderFacts.idempotentLogin). */
  mayRepeat: boolean;
}

/** The bank has a login of its own pages: it begins when the user sets out for them. */
export interface OfferedRedirect {
  redirectTo: string;
}

/** link-lifecycle 2.5: the user has a link there already, and is asked first. */
export interface OfferedExtension {
  extensionAt: string;
}

/** Why there is no login at all, in the words of Connect. */
export interface RefusedLogin {
  problem: ConnectProblemId;
}

export interface Deadline {
  state: SessionState;
  /** Until there can be something to do; null = nothing to wait for. */
  lookAgainInMs: number | null;
  /** The link of the attempt, where it was looked at; missing in histories from before it was told. */
  link?: { state: LinkState; error: LinkError | null } | null;
}

/** A step to show next: its number, and whether it follows from an answer of the user. */
export interface Showing {
  sessionId: string;
  seq: number;
  accepted: boolean;
}

/** What the user said to a question. */
export interface QuestionAnswer {
  granted?: Product[];
  /** Accounts, by the names they had in the step. */
  refs?: string[];
}

/** Steps that a workflow makes itself: nothing of the bank or the user is in them. */
export type OwnStep = Extract<StepContent, { kind: 'select_institution' | 'wait' }>;
