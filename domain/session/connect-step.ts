import type { Step, StepBase, StepContent } from '../../packages/connect-protocol/src/step.js';

export type {
  ChoiceOption,
  ConsentProduct,
  ErrorAction,
  Fault,
  Field,
  MissingAccount,
  SelectableAccount,
  Step,
  StepBase,
  StepContent,
  StepInput,
  StepKind,
  WaitStage,
} from '../../packages/connect-protocol/src/step.js';

/** Builds a step: its id is `st_<seq>`, and the last answer was accepted unless `base` has an error. */
export function makeStep(
  seq: number,
  content: StepContent,
  base: Partial<Omit<StepBase, 'id'>> = {},
): Step {
  return {
    id: `st_${seq}`,
    can_go_back: base.can_go_back ?? false,
    message: base.message ?? null,
    error: base.error ?? null,
    attempts_left: base.attempts_left ?? null,
    expires_at: base.expires_at ?? null,
    ...content,
  };
}
