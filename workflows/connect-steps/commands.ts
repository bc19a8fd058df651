import type { StepSubmission } from './connect-steps.contract.js';

/** What the user wants done next, or what time has brought. */
export type Command =
  | { kind: 'start' }
  | { kind: 'answer'; input: StepSubmission['input'] }
  | { kind: 'exit'; reason: string }
  /** The row shows that the bank is waited for, and nobody does. */
  | { kind: 'awaitBank' }
  | { kind: 'stepTimeOver' }
  | { kind: 'tooManySteps' };

/** How the work of a command came to be broken off. */
export type Interruption = 'exit' | 'cancel' | 'over' | 'stepTimeOver';
