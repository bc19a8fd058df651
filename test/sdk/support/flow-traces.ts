import {
  idleState,
  step,
  type FlowEffect,
  type FlowInput,
  type FlowSetup,
} from '../../../packages/connect-react-native/src/flow-machine.js';

/** A trace of packages/connect-vectors/flows. */
export interface TraceStep {
  input: FlowInput;
  effects: FlowEffect[];
}

/** The effects of the inputs of a trace on the machine. */
export function runTrace(setup: FlowSetup, inputs: readonly FlowInput[]): TraceStep[] {
  let state = idleState(setup);
  return inputs.map((input) => {
    const next = step(state, input);
    state = next.state;
    return { input, effects: next.effects };
  });
}
