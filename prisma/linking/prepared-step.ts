import type { StepContent } from '../../domain/session/connect-step.js';

/** A step that a bank asked for, prepared by the activity that called it. */
export interface PreparedStep {
  content: StepContent;
  message: string | null;
  error: { code: string; text: string } | null;
  attemptsLeft: number | null;
  /** ISO 8601. */
  expiresAt: string | null;
  /** With a `wait` step: how often to poll the bank. */
  pollAfterMs?: number | null;
}
