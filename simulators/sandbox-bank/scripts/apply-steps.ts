/** This step is impossible; steps are counted from 0. */
export interface ImpossibleStep {
  index: number;
  reason: string;
}

/** Thrown by a step that cannot happen. */
export class Impossible extends Error {}

/**
 * The state after all steps, one after the other; or the impossible step, without any change.
 * @param afterStep throws Impossible
 */
export function applySteps<State, Step>(
  before: State,
  script: readonly Step[],
  afterStep: (state: State, step: Step) => State,
): { after: State } | ImpossibleStep {
  let state = before;
  for (const [index, step] of script.entries()) {
    try {
      state = afterStep(state, step);
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
      return { index, reason: error.message };
    }
  }
  return { after: state };
}
