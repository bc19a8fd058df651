import {
  readSession,
  type ConnectError,
  type ConnectEvent,
  type ConnectExit,
  type ConnectSuccess,
} from '@tributary/connect-js/core';
import type { FlowStep } from '../flow-step.js';

/** Order and count of the callbacks of one flow. Source: connect 9.1. */
export interface CallbackOrder {
  /** A final callback was called, or never will be. */
  isFinished: boolean;
  isClosingEventReported: boolean;
  sessionId: string | null;
  linkType: 'link' | 'relink';
  errors: readonly ConnectError[];
}

export const NO_CALLBACKS: CallbackOrder = {
  isFinished: false,
  isClosingEventReported: false,
  sessionId: null,
  linkType: 'link',
  errors: [],
};

export function callReady(step: FlowStep, payload: Record<string, unknown>): void {
  const session = readSession(payload);
  if (session === undefined || step.callbacks.isFinished) return;
  step.note({ sessionId: session.session_id, linkType: session.mode });
  step.emit({ type: 'call', callback: 'ready' });
}

export function callEvent(step: FlowStep, payload: ConnectEvent): void {
  if (step.callbacks.isFinished || step.callbacks.isClosingEventReported) return;
  if (payload.name === 'success' || payload.name === 'exit')
    step.note({ isClosingEventReported: true });
  step.emit({ type: 'call', callback: 'event', payload });
}

export function callError(step: FlowStep, payload: ConnectError): void {
  if (step.callbacks.isFinished) return;
  step.note({ errors: [...step.callbacks.errors, payload] });
  step.emit({ type: 'call', callback: 'error', payload });
}

export function callSuccess(step: FlowStep, payload: ConnectSuccess): void {
  if (step.callbacks.isFinished) return;
  closingEvent(step, 'success', {});
  step.note({ isFinished: true });
  step.emit({ type: 'call', callback: 'success', payload });
}

export function callExit(step: FlowStep, exit: ConnectExit): void {
  if (step.callbacks.isFinished) return;
  const payload = exit.error === null ? exit : { ...exit, error: reported(step, exit.error) };
  closingEvent(step, 'exit', { reason: exit.reason });
  step.note({ isFinished: true });
  step.emit({ type: 'call', callback: 'exit', payload });
}

/** When a flow ends because of an error, `onError` has received the same object. */
function reported(step: FlowStep, ending: ConnectError): ConnectError {
  const text = JSON.stringify(ending);
  const same = step.callbacks.errors.find((error) => JSON.stringify(error) === text);
  if (same === undefined) callError(step, ending);
  return same ?? ending;
}

function closingEvent(
  step: FlowStep,
  name: 'success' | 'exit',
  properties: ConnectEvent['properties'],
): void {
  const { linkType, sessionId } = step.callbacks;
  callEvent(step, {
    name,
    properties,
    meta: { link_type: linkType, timestamp: step.moment.now, link_session_id: sessionId },
  });
}
