import { back, destroy, end, requestExit } from './flow-rules/ending.js';
import { fail, moved, present, reload, resume, retry } from './flow-rules/loading.js';
import { authEnded, continueElsewhere, returned } from './flow-rules/login.js';
import { receive } from './flow-rules/messages.js';
import { FlowStep, type FlowState } from './flow-step.js';
import type { FlowEffect, FlowInput, FlowMoment, FlowTimer } from './flow-types.js';

/**
 * One flow, from its opening to its final callback: a function of its state and what happens, with no clock, no
 * randomness and no platform. The Swift SDK has the same machine; the cases in `packages/connect-vectors` hold both to
 * each other.
 */
export function handle(
  state: FlowState,
  input: FlowInput,
  moment: FlowMoment,
): { state: FlowState; effects: readonly FlowEffect[] } {
  if (state.phase === 'ended') return { state, effects: [] };
  const step = new FlowStep(state, moment);
  take(step, input);
  return { state: step.state, effects: step.effects };
}

function take(step: FlowStep, input: FlowInput): void {
  switch (input.type) {
    case 'present':
      return present(step);
    case 'resume':
      return resume(step, input.url);
    case 'message':
      return receive(step, input);
    case 'moved':
      return moved(step, input.address);
    case 'load_failed':
      return input.reason === 'content_ended' ? reload(step) : fail(step);
    case 'auth_ended':
      return authEnded(step, input);
    case 'link':
      return returned(step, input.url);
    case 'exit':
      return requestExit(step, input.force);
    case 'back':
      return back(step);
    case 'retry':
      return retry(step);
    case 'restyle':
      return restyle(step, input);
    case 'tick':
      return tick(step, input.timer);
    case 'destroy':
      return destroy(step);
  }
}

function restyle(
  step: FlowStep,
  { theme, appearance }: Extract<FlowInput, { type: 'restyle' }>,
): void {
  const { settings } = step.state;
  const look = { ...settings.look, theme: theme ?? undefined, appearance };
  step.change({ settings: { ...settings, look } });
  if (step.isIn('open', 'notice')) step.send('theme', { theme, appearance });
}

function tick(step: FlowStep, timer: FlowTimer): void {
  switch (timer) {
    case 'hello':
      return step.isIn('loading') ? fail(step) : undefined;
    case 'acknowledgement':
      return continueElsewhere(step);
    case 'exit':
      return end(step, 'programmatic');
    case 'reloads':
      return step.change({ reloads: 0 });
  }
}
