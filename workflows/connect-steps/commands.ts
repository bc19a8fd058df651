import type { StepSubmission } from './connect-steps.contract.js';

/** What the user wants next, or what has become due. */
export type Command =
  | { kind: 'start' }
  | { kind: 'answer'; input: StepSubmission['input'] }
  | { kind: 'exit'; reason: string }
  /** The row shows a wait for the bank, but no activity polls it. */
  | { kind: 'awaitBank' }
  | { kind: 'stepTimeOver' }
  | { kind: 'tooManySteps' };

/** Why the work of a command was interrupted. */
export type Interruption = 'exit' | 'cancel' | 'over' | 'stepTimeOver';
