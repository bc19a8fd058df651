import type { ConnectError, ConnectExitReason } from '@tributary/connect-js/core';
import type { FlowStep } from '../flow-step.js';
import { callExit } from './callback-order.js';

/** The platform's own way back: in the page where there is one, else the end. */
export function back(step: FlowStep): void {
  if (step.isIn('open')) return step.send('back');
  leaveNativeView(step, 'user_closed');
}

export function requestExit(step: FlowStep, force: boolean): void {
  if (!step.isIn('open')) return leaveNativeView(step, 'programmatic');
  step.send('request_exit', { force, reason: 'programmatic' });
  if (force) step.start('exit');
}

function leaveNativeView(step: FlowStep, reason: ConnectExitReason): void {
  if (step.isIn('failed')) end(step, 'error', step.state.failure);
  else if (step.isIn('loading')) end(step, reason);
  else if (step.isIn('notice')) leave(step);
}

export function end(step: FlowStep, reason: ConnectExitReason, error?: ConnectError): void {
  const { sessionId } = step.callbacks;
  leave(step);
  callExit(step, {
    reason,
    error: error ?? null,
    session_id: sessionId,
    institution: null,
    search_term: null,
  });
}

/** The view goes, or keeps a last screen. */
export function finish(step: FlowStep, { keepsScreen }: { keepsScreen: boolean }): void {
  if (!keepsScreen) return leave(step);
  release(step);
  step.change({ phase: 'notice' });
}

export function leave(step: FlowStep): void {
  release(step);
  step.change({ phase: 'ended' });
  step.emit({ type: 'remove' });
}

/** Without a callback. */
export function destroy(step: FlowStep): void {
  step.note({ isFinished: true });
  if (step.isIn('idle')) step.change({ phase: 'ended' });
  else leave(step);
}

export function closeLogin(step: FlowStep): void {
  if (step.state.authRedirectUri === undefined) return;
  step.change({ authRedirectUri: undefined });
  step.emit({ type: 'close_auth' });
}

function release(step: FlowStep): void {
  closeLogin(step);
  step.change({ unacknowledged: undefined });
  step.stop('hello', 'acknowledgement', 'exit', 'reloads');
}
