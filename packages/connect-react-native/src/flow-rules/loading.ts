import { frameUnavailable, isSameOrigin, readStateId } from '@tributary/connect-js/core';
import type { FlowStep } from '../flow-step.js';
import { callError } from './callback-order.js';
import { leave } from './ending.js';

const MOST_RELOADS = 2;

export function present(step: FlowStep, continueUrl?: string): void {
  if (!step.isIn('idle')) return;
  step.change({ continueUrl });
  load(step);
}

export function resume(step: FlowStep, url: string): void {
  const stateId = readStateId(url);
  if (stateId === undefined) return;
  step.change({ takenStates: [...step.state.takenStates, stateId] });
  present(step, url);
}

/** The channel is the only thing that the address contains: never the token. */
export function load(step: FlowStep): void {
  const { channel } = step.moment;
  step.change({ channel, phase: 'loading', unacknowledged: undefined });
  const { settings, continueUrl } = step.state;
  const entry = continueUrl === undefined ? 'start' : 'continue';
  step.emit({ type: 'show', screen: 'loading' });
  step.start('hello');
  step.emit({ type: 'load', address: `${settings.baseAddress}/${entry}#channel=${channel}` });
}

/** The main frame is elsewhere: taken back. */
export function moved(step: FlowStep, address: string): void {
  if (!isSameOrigin(step.state.settings.baseAddress, address)) reload(step);
}

/** Loads again with the same token, at most twice a minute: the service shows the current step. */
export function reload(step: FlowStep): void {
  // Behind a last screen there is nothing to restore.
  if (step.isIn('notice')) return leave(step);
  if (!step.isIn('loading', 'open')) return;
  const { reloads, unacknowledged, continueUrl } = step.state;
  if (reloads >= MOST_RELOADS) return fail(step);
  if (reloads === 0) step.start('reloads');
  // An address that was not taken yet goes on at `/continue`.
  step.change({ reloads: reloads + 1, continueUrl: unacknowledged?.url ?? continueUrl });
  step.stop('acknowledgement');
  load(step);
}

export function fail(step: FlowStep): void {
  if (!step.isIn('loading', 'open')) return;
  step.stop('hello', 'acknowledgement');
  const failure = frameUnavailable(step.state.settings.look.locale);
  step.change({ failure, phase: 'failed' });
  step.emit({ type: 'show', screen: 'failure' });
  callError(step, failure);
}

export function retry(step: FlowStep): void {
  if (!step.isIn('failed')) return;
  step.change({ failure: undefined });
  load(step);
}
