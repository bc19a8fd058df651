import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { PlainAnswer } from '../../activities/linking/login-activities.js';

export interface SessionInput {
  sessionId: string;
  /** A step that takes longer answers `wait` (connect 5, rule 5). */
  softReplyMs: number;
}

/** The step the session shows after the message; the step itself is in the session's row. */
export interface ShownStep {
  seq: number;
}

/** Kinds of answers that hold nothing secret and travel as they are. */
export type PlainStepInput = PlainAnswer;

/** An answer that was sealed into `session_secrets` (kind `answer`) before the message was sent: only its name travels. */
export interface SealedStepInput {
  kind: 'form' | 'otp' | 'image';
  sealedAs: string;
}

/** The way to a bank's own pages and back (connect 7), by the name under which its addresses and codes are sealed. */
export interface RedirectMove {
  kind: 'redirect_start' | 'redirect_return';
  way: string;
}

/** One action of the user. connect 5, rules 1 and 3: `seq` is the step it answers, `requestId` also the update id. */
export interface StepSubmission {
  seq: number;
  requestId: string;
  input: PlainStepInput | SealedStepInput | RedirectMove;
}

export interface ExitRequest {
  /** connect 4: `user_closed`, `connect_manually`, `programmatic` or `error`. */
  reason: string;
}

/** Types of the ApplicationFailure with which a message is refused. connect 5, rules 2 and 8. */
export const STEP_REJECTIONS = ['SessionClosed', 'StepInProgress', 'StaleStep'] as const;
export type StepRejection = (typeof STEP_REJECTIONS)[number];

/** Shows the first step of a session that has none; otherwise the session goes on where it is. */
export const openSessionUpdate = defineUpdate<ShownStep, []>('openSession');
/** Answers the step `seq`. Returns with the next step, or with `wait` after the soft reply time. */
export const submitStepUpdate = defineUpdate<ShownStep, [StepSubmission]>('submitStep');
/** Ends the attempt, not the session. After success it changes nothing. */
export const exitUpdate = defineUpdate<ShownStep, [ExitRequest]>('exitSession');

/** The exchangeable token was exchanged. */
export const exchangedSignal = defineSignal('exchanged');
/** The session ended outside the workflow: its link was deleted, or a sweep ended it. */
export const endedSignal = defineSignal('sessionEnded');
