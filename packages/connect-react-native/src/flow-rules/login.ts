import { parseOrigin, popupBlocked, readStateId } from '@tributary/connect-js/core';
import type { FlowStep } from '../flow-step.js';
import type { FlowInput } from '../flow-types.js';
import { callError } from './callback-order.js';
import { closeLogin } from './ending.js';
import { load } from './loading.js';
import { chooseLoginWay } from './login-way.js';

/** The page asks for the bank's own login: only an http(s) address, which returns to an app. */
export function openLogin(step: FlowStep, payload: Record<string, unknown>): void {
  const { authorize_url: address, redirect_uri: redirectUri } = payload;
  if (!step.isIn('open') || typeof address !== 'string' || parseOrigin(address) === undefined)
    return;
  const way =
    typeof redirectUri === 'string'
      ? chooseLoginWay(redirectUri, step.state.settings.system)
      : undefined;
  if (way === undefined) return notOpened(step);
  closeLogin(step);
  step.change({ authRedirectUri: redirectUri as string });
  step.emit({ type: 'open_auth', address, way });
}

export function authEnded(step: FlowStep, end: Extract<FlowInput, { type: 'auth_ended' }>): void {
  if (step.state.authRedirectUri === undefined) return;
  step.change({ authRedirectUri: undefined });
  if ('url' in end && readStateId(end.url) !== undefined) return returned(step, end.url);
  if ('url' in end || end.end === 'cancelled') return cancelLogin(step);
  if (end.end === 'failed') notOpened(step);
}

/** The return of a login, from its session or by a link; each state is taken once. */
export function returned(step: FlowStep, url: string): void {
  const stateId = readStateId(url);
  if (stateId === undefined || step.isIn('idle', 'notice')) return;
  if (step.state.takenStates.includes(stateId)) return;
  step.change({ takenStates: [...step.state.takenStates, stateId] });
  closeLogin(step);
  if (!step.isIn('open')) {
    // A page that is not there yet cannot know the state.
    step.change({ continueUrl: url });
    step.stop('hello');
    return load(step);
  }
  step.change({ unacknowledged: { url, stateId } });
  step.send('oauth_result', { url });
  step.start('acknowledgement');
}

export function acknowledged(step: FlowStep, payload: Record<string, unknown>): void {
  const awaited = step.state.unacknowledged?.stateId;
  if (awaited === undefined || payload['oauth_state_id'] !== awaited) return;
  step.change({ unacknowledged: undefined });
  step.stop('acknowledgement');
}

/**
 * The page does not know the state, as after its content was ended by the system: `/continue` with the address and the
 * token is the same holder, so nothing is lost.
 */
export function continueElsewhere(step: FlowStep): void {
  const url = step.state.unacknowledged?.url;
  if (url === undefined || !step.isIn('open')) return;
  step.change({ continueUrl: url });
  load(step);
}

function cancelLogin(step: FlowStep): void {
  if (step.isIn('open')) step.send('oauth_result', { cancelled: true });
}

function notOpened(step: FlowStep): void {
  callError(step, popupBlocked(step.state.settings.look.locale));
  cancelLogin(step);
}
