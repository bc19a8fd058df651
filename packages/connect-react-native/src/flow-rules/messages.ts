import {
  isSameOrigin,
  phoneInit,
  readConnectError,
  readConnectEvent,
  readConnectExit,
  readConnectSuccess,
  readMessageText,
} from '@tributary/connect-js/core';
import type { FlowStep } from '../flow-step.js';
import type { FlowInput } from '../flow-types.js';
import { callError, callEvent, callExit, callReady, callSuccess } from './callback-order.js';
import { end, finish } from './ending.js';
import { acknowledged, openLogin } from './login.js';

/** A message counts only from the main frame, from exactly the origin of Connect, and with the channel of this load. */
export function receive(step: FlowStep, input: Extract<FlowInput, { type: 'message' }>): void {
  const { settings, channel } = step.state;
  if (!input.main_frame || !isSameOrigin(settings.baseAddress, input.origin)) return;
  const message = readMessageText(input.text, channel);
  if (message === undefined) return;
  if (message.type === 'hello') return hello(step);
  if (step.isIn('open', 'notice')) handlers.get(message.type)?.(step, message.payload);
}

type Handler = (step: FlowStep, payload: Record<string, unknown>) => void;

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['ready', callReady],
  ['event', (step, payload) => whenValid(readConnectEvent(payload), (it) => callEvent(step, it))],
  ['error', (step, payload) => whenValid(readConnectError(payload), (it) => callError(step, it))],
  ['success', success],
  ['exit', exit],
  ['oauth_open', openLogin],
  ['resume_ack', acknowledged],
  ['close', (step) => end(step, 'user_closed')],
]);

function whenValid<Value>(value: Value | undefined, use: (value: Value) => void): void {
  if (value !== undefined) use(value);
}

/** Every one of a load is answered: a page that loaded itself again has lost what it knew. */
function hello(step: FlowStep): void {
  if (!step.isIn('loading', 'open')) return;
  if (step.isIn('loading')) {
    step.stop('hello');
    step.change({ phase: 'open' });
  }
  const { settings, continueUrl } = step.state;
  const init = phoneInit({ ...settings.look, linkSessionToken: settings.token, continueUrl });
  step.send('init', { ...init });
  step.emit({ type: 'show', screen: 'web' });
}

function success(step: FlowStep, payload: Record<string, unknown>): void {
  const result = readConnectSuccess(payload);
  if (result === undefined || step.callbacks.isFinished) return;
  finish(step, { keepsScreen: step.state.settings.look.closeOnSuccess === false });
  callSuccess(step, result);
}

function exit(step: FlowStep, payload: Record<string, unknown>): void {
  const result = readConnectExit(payload);
  if (result === undefined || step.callbacks.isFinished) return;
  // connect 7: the older window shows "moved" until the end user closes it.
  finish(step, { keepsScreen: result.reason === 'moved' });
  callExit(step, result);
}
