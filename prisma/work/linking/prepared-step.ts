import type { StepContent } from '../../../domain/session/connect-step.js';

/** A step that a bank requested, prepared by the activity that called the bank. */
export interface PreparedStep {
  content: StepContent;
  message: string | null;
  error: { code: string; text: string } | null;
  attemptsLeft: number | null;
  /** ISO 8601. */
  expiresAt: string | null;
  /** With a `wait` step: the interval between polls of the bank. */
  pollAfterMs?: number | null;
}
