import type { StepKind } from '../../domain/session/connect-step.js';
import type { LinkingQuestion } from '../../domain/session/linking-questions.js';

/**
 * The part of a login's outcome that a workflow may see; everything else is stored, with secrets
 * sealed. The field names are part of recorded histories.
 */
export type BankLoginResult =
  | { kind: 'linked'; accounts: number; questions: LinkingQuestion[] }
  | {
      kind: 'step';
      step: StepKind;
      refused: boolean;
      attemptsLeft: number | null;
      expiresInMs: number | null;
    }
  | { kind: 'away'; redirectId: string; expiresInMs: number };
