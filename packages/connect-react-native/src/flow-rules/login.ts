import { popupBlocked, readStateId, stateHash } from '@tributary/connect-js/core';
import { decideAuthWay } from './auth-way.js';
import type { InputOf } from './inputs.js';
import { load } from './loading.js';
import type { Turn } from './turn.js';

/** Rule 6: the time limit for the acknowledgment of a return address. */
const ACKNOWLEDGED_WITHIN_MS = 2_000;

/** Rule 3: `oauth_open` of the hosted app. */
export function openLogin(turn: Turn, payload: Record<string, unknown>): void {
  const { authorize_url: address, redirect_uri, state_hash: hash } = payload;
  const way = decideAuthWay({
    authorizeUrl: address,
    redirectUri: redirect_uri,
    platform: turn.setup.system,
    systemVersion: turn.setup.system_version,
  });
  if (way.way === 'refuse') return;
  turn.closeLogin();
  if (way.way === 'unavailable') return notOpened(turn);
  const attempt = turn.memory.login.attempt + 1;
  turn.change({ login: { attempt, isOpen: true } });
  if (typeof hash === 'string') turn.change({ stateHashes: [...turn.memory.stateHashes, hash] });
  turn.do({
    type: 'open_auth',
    attempt,
    address: address as string,
    redirect_uri: redirect_uri as string,
    way,
  });
}

/** Rule 4: the session at the bank ended by itself. */
export function loginEnded(turn: Turn, input: InputOf<'auth_ended'>): void {
  const { login } = turn.memory;
  // One that was closed for another also ends, later.
  if (!login.isOpen || input.attempt !== login.attempt) return;
  turn.change({ login: { ...login, isOpen: false } });
  switch (input.outcome) {
    case 'returned':
      return isForeign(turn, input.url) ? cancelled(turn) : takeReturn(turn, input.url);
    case 'failed':
      return notOpened(turn);
    case 'cancelled':
      // On Android also before a link that arrives a moment later.
      if (turn.setup.system === 'ios') cancelled(turn);
      return;
    case 'dismissed':
      return;
  }
}

/** An address that is not the return of a login, or not of one of this flow's, where their marks are known. */
function isForeign(turn: Turn, url: string): boolean {
  return (
    readStateId(url) === undefined || (turn.memory.stateHashes.length > 0 && !isOwn(turn, url))
  );
}

function isOwn(turn: Turn, url: string): boolean {
  const stateId = readStateId(url);
  return stateId !== undefined && turn.memory.stateHashes.includes(stateHash(stateId));
}

/** Rule 12: a link is this flow's own return, or the page stays until the service has confirmed it. */
export function appOpened(turn: Turn, url: string): void {
  if (isOwn(turn, url)) return takeReturn(turn, url);
  const { taken, linkSessionToken: link_session_token } = turn.memory;
  const stateId = readStateId(url);
  if (stateId === undefined || taken.includes(stateId)) return;
  // Without a token the service cannot tell this session from another one.
  if (link_session_token !== null) turn.do({ type: 'ask', url, link_session_token });
}

/** Rules 5 and 6: a return address from any source; each state once. */
export function takeReturn(turn: Turn, url: string): void {
  const stateId = readStateId(url);
  if (stateId === undefined || turn.memory.taken.includes(stateId)) return;
  if (turn.name === 'last_screen') return;
  turn.change({ taken: [...turn.memory.taken, stateId] });
  turn.closeLogin();
  // A page that is still loading, or could not be loaded, does not know the state.
  if (turn.name !== 'open') return load(turn, url);
  turn.change({ pendingReturn: url });
  turn.send('oauth_result', { url });
  turn.startTimer('ack', ACKNOWLEDGED_WITHIN_MS);
}

export function acknowledged(turn: Turn, payload: Record<string, unknown>): void {
  const { pendingReturn } = turn.memory;
  if (pendingReturn === null || payload['oauth_state_id'] !== readStateId(pendingReturn)) return;
  turn.change({ pendingReturn: null });
  turn.stopTimer('ack');
}

/** Rule 6: the page that should receive the address is gone, or has canceled the login. */
export function ackTimedOut(turn: Turn): void {
  if (turn.memory.pendingReturn !== null) load(turn, turn.memory.pendingReturn);
}

function cancelled(turn: Turn): void {
  if (turn.name === 'open') turn.send('oauth_result', { cancelled: true });
}

function notOpened(turn: Turn): void {
  turn.report({ type: 'error', error: popupBlocked(turn.memory.options.locale) });
  cancelled(turn);
}
