import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { PlainAnswer } from '../../activities/linking/login-activities.js';

export interface SessionInput {
  sessionId: string;
  /** A step that takes longer than this is answered with `wait` (connect 5, rule 5). */
  softReplyMs: number;
}

/** The step that the session shows after the message; its content is in the session's row. */
export interface ShownStep {
  seq: number;
}

/** Answers without secrets, which are passed as they are. */
export type PlainStepInput = PlainAnswer;

/**
 * An answer that was sealed into `session_secrets` (kind `answer`) before the message was sent; the
 * message carries only its name.
 */
export interface SealedStepInput {
  kind: 'form' | 'otp' | 'image';
  sealedAs: string;
}

/**
 * Starts or completes a redirect to a bank's own pages (connect 7). `way` is the id under which its
 * URL and codes are sealed.
 */
export interface RedirectMove {
  kind: 'redirect_start' | 'redirect_return';
  way: string;
}

/**
 * One action of the user. connect 5, rules 1 and 3: `seq` is the step it answers; `requestId` is
 * also the Update id.
 */
export interface StepSubmission {
  seq: number;
  requestId: string;
  input: PlainStepInput | SealedStepInput | RedirectMove;
}

export interface ExitRequest {
  /** connect 4: `user_closed`, `connect_manually`, `programmatic` or `error`. */
  reason: string;
}

/** Types of the ApplicationFailure that rejects a message. connect 5, rules 2 and 8. */
export const STEP_REJECTIONS = ['SessionClosed', 'StepInProgress', 'StaleStep'] as const;
export type StepRejection = (typeof STEP_REJECTIONS)[number];

/** Shows the first step of a session; has no effect if a step is already shown. */
export const openSessionUpdate = defineUpdate<ShownStep, []>('openSession');
/** Answers step `seq`. Returns with the next step, or with `wait` after the soft reply time. */
export const submitStepUpdate = defineUpdate<ShownStep, [StepSubmission]>('submitStep');
/** Ends the attempt, not the session. No effect after success. */
export const exitUpdate = defineUpdate<ShownStep, [ExitRequest]>('exitSession');

/** The exchangeable token was exchanged. */
export const exchangedSignal = defineSignal('exchanged');
/** The session was ended outside the workflow, by the deletion of its link or by the sweeper. */
export const endedSignal = defineSignal('sessionEnded');
