import type { ConnectProblemId } from '../../domain/session/connect-problem.js';
import type { StepContent } from '../../domain/session/connect-step.js';
import type { SessionFacts } from '../../domain/session/session-phase.js';
import type { SessionRow } from '../../domain/session/session-resumption.js';
import type { LinkError, LinkState } from '../../domain/link/link-state.js';

export type { QuestionAnswer } from '../../domain/session/session-effect.js';
export type { StartedLogin } from '../../domain/session/session-phase.js';

/**
 * The part of a session that a workflow may see. A step is reduced to its kind, because the rest
 * may hold the bank's words or an image.
 */
export interface SessionSnapshot extends SessionRow, Omit<SessionFacts, 'mode'> {
  state: SessionState;
  seq: number;
  /** Milliseconds until the step expires; null = no limit of its own. */
  stepExpiresInMs: number | null;
}

export type SessionState = 'open' | 'succeeded' | 'ended';

/** The bank logs users in on its own pages; the login starts when the user leaves for them. */
export interface OfferedRedirect {
  redirectTo: string;
}

/** link-lifecycle 2.5: the user already has a link at this institution and is asked first. */
export interface OfferedExtension {
  extensionAt: string;
}

/** The reason that no login was started, as a problem Connect can show. */
export interface RefusedLogin {
  problem: ConnectProblemId;
}

export interface Deadline {
  state: SessionState;
  /** Milliseconds until the next possible deadline; null = there is none. */
  lookAgainInMs: number | null;
  /** The link of the attempt; null = there is none, missing = it was not read. */
  link?: { state: LinkState; error: LinkError | null } | null;
}

/** The next step to show: its number, and whether it follows from an accepted answer. */
export interface NextStep {
  sessionId: string;
  seq: number;
  accepted: boolean;
}

/** Steps a workflow builds itself; they contain nothing from the bank or the user. */
export type WorkflowStep = Extract<StepContent, { kind: 'select_institution' | 'wait' }>;
