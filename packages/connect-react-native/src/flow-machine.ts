import { readStateId } from '@tributary/connect-js/core';
import type { FlowEffect } from './flow-rules/effects.js';
import { end, exit } from './flow-rules/ending.js';
import type { FlowInput, InputOf } from './flow-rules/inputs.js';
import {
  closeNativeView,
  helloTimedOut,
  load,
  loadFailed,
  tryAgain,
} from './flow-rules/loading.js';
import { ackTimedOut, appOpened, loginEnded, takeReturn } from './flow-rules/login.js';
import { receive } from './flow-rules/messages.js';
import { decideNavigation } from './flow-rules/navigation.js';
import { NOTHING_REPORTED } from './flow-rules/report.js';
import { isFinal, keptAfter } from './flow-rules/kept.js';
import { idleState, type FlowMemory, type FlowState } from './flow-rules/state.js';
import { Turn } from './flow-rules/turn.js';

export { idleState };
export type { FlowSetup, FlowState } from './flow-rules/state.js';
export type { FlowInput, FlowOptions, TimerName } from './flow-rules/inputs.js';
export type { FlowEffect } from './flow-rules/effects.js';

export interface Step {
  state: FlowState;
  effects: FlowEffect[];
}

/**
 * The flow of Connect in a WebView, without clock and platform: an adapter reports the inputs and
 * performs the effects. The same machine exists in Swift; packages/connect-vectors holds both to
 * the same traces.
 *
 * | State | Screen | Left by |
 * |---|---|---|
 * | `idle` | nothing | `present`, `resume` |
 * | `loading` | a spinner with a close button | `hello` → open; silence, a failed load → failed; close, exit → idle |
 * | `open` | the hosted app | success, exit, `close` → idle or last_screen; content ended, no acknowledgment → loading |
 * | `failed` | "could not be loaded", try again, close | try again, a bank's return → loading; close, exit → idle |
 * | `last_screen` | the hosted app after the final callback: "connected", "moved" | `close`, back, exit → idle; `present` → loading |
 *
 * A login at a bank may be open in any state but `idle` and `last_screen`. The rules are those of
 * connect 9.4; each function of flow-rules/ names its own.
 */
export function step(state: FlowState, input: FlowInput): Step {
  if (input.type === 'present' || input.type === 'resume') return begin(state, input);
  if (input.type === 'opened' && !isRunning(state)) return ask(state, input);
  if (state.memory === null) return { state, effects: [] };
  const turn = new Turn(state.name, state.memory, state.setup, state.flow, input.at);
  work(turn, input);
  return endTurn(state, turn);
}

function endTurn(state: FlowState, turn: Turn): Step {
  const memory = turn.name === 'idle' ? null : turn.memory;
  const keptToken = keptAfter(state.keptToken, turn.effects);
  // The same return may arrive again for a flow that the app removed, and continues it.
  const endedReturns = turn.effects.some(isFinal) ? turn.memory.taken : state.endedReturns;
  return {
    state: { ...state, name: turn.name, memory, keptToken, endedReturns },
    effects: turn.effects,
  };
}

function begin(state: FlowState, input: InputOf<'present'> | InputOf<'resume'>): Step {
  const continueUrl = input.type === 'resume' ? input.url : null;
  if (continueUrl !== null && !isNewReturn(state, continueUrl)) return { state, effects: [] };
  if (isRunning(state) && continueUrl !== null)
    return step(state, { type: 'link', at: input.at, url: continueUrl });
  if (isRunning(state))
    return {
      state,
      effects: [{ type: 'warn', text: 'A second flow was ignored: Connect is open already.' }],
    };
  const flow = state.flow + 1;
  const keptToken = input.link_session_token ?? state.keptToken;
  const memory = newMemory(input, keptToken, state.endedReturns);
  const turn = new Turn('idle', memory, state.setup, flow, input.at);
  load(turn, continueUrl);
  return endTurn({ ...state, flow, keptToken }, turn);
}

function isRunning({ memory, name }: FlowState): boolean {
  return memory !== null && name !== 'last_screen';
}

/** Rule 12: nothing covers the app before the service has something to continue. */
function ask(state: FlowState, { url, link_session_token: token }: InputOf<'opened'>): Step {
  const link_session_token = token ?? state.keptToken;
  const isNew = isNewReturn(state, url);
  return { state, effects: isNew ? [{ type: 'ask', url, link_session_token }] : [] };
}

/** Rule 5: not a return of a finished flow; the system may deliver a link again. */
function isNewReturn({ endedReturns }: FlowState, url: string): boolean {
  const stateId = readStateId(url);
  return stateId !== undefined && !endedReturns.includes(stateId);
}

function newMemory(
  input: InputOf<'present'> | InputOf<'resume'>,
  linkSessionToken: string | null,
  endedReturns: readonly string[],
): FlowMemory {
  const stateId = input.type === 'resume' ? readStateId(input.url) : undefined;
  return {
    linkSessionToken,
    continueUrl: null,
    options: input.options,
    channel: input.channel,
    load: 0,
    login: { attempt: 0, isOpen: false },
    stateHashes: [],
    pendingReturn: null,
    taken: stateId === undefined ? endedReturns : [...endedReturns, stateId],
    reloads: [],
    timers: [],
    report: NOTHING_REPORTED,
    failure: null,
  };
}

function work(turn: Turn, input: Exclude<FlowInput, { type: 'present' | 'resume' }>): void {
  switch (input.type) {
    case 'message':
      return receive(turn, input);
    case 'navigate':
      return navigate(turn, input);
    case 'arrived':
      return arrive(turn, input.address);
    case 'load_failed':
      return loadFailed(turn, input);
    case 'auth_ended':
      return loginEnded(turn, input);
    case 'opened':
      return appOpened(turn, input.url);
    case 'link':
      return takeReturn(turn, input.url);
    case 'exit':
      return exit(turn, input);
    case 'back':
      return turn.name === 'open' ? turn.send('back') : closeNativeView(turn);
    case 'close':
      return turn.name === 'open'
        ? turn.send('request_exit', { force: false, reason: 'user_closed' })
        : closeNativeView(turn);
    case 'try_again':
      return tryAgain(turn);
    case 'restyle':
      return restyle(turn, input);
    case 'tick':
      return tick(turn, input);
    case 'unmount':
      return turn.remove();
  }
}

/** Rule 8: only addresses that the user tapped, and never an app. */
function navigate(turn: Turn, input: InputOf<'navigate'>): void {
  const { address, main_frame: mainFrame, by_user: byUser, new_window: newWindow } = input;
  const way = decideNavigation(turn.setup.base, { address, mainFrame, byUser, newWindow });
  if (way === 'outside') turn.do({ type: 'open_outside', address });
}

/** Rule 8: a main frame at another address is loaded again. */
function arrive(turn: Turn, address: string): void {
  // A WebView begins with an empty page.
  if (address === 'about:blank' && turn.name === 'loading') return;
  const place = { address, mainFrame: true, byUser: false, newWindow: false };
  if (decideNavigation(turn.setup.base, place) !== 'load')
    loadFailed(turn, { cause: 'content_ended' });
}

function restyle(turn: Turn, { theme, appearance }: InputOf<'restyle'>): void {
  turn.change({ options: { ...turn.memory.options, theme, appearance } });
  if (turn.name === 'open' || turn.name === 'last_screen')
    turn.send('theme', { theme, appearance: appearance ?? 'system' });
}

function tick(turn: Turn, { timer }: InputOf<'tick'>): void {
  // A stopped timer may still run out.
  if (!turn.memory.timers.includes(timer)) return;
  turn.change({ timers: turn.memory.timers.filter((each) => each !== timer) });
  switch (timer) {
    case 'hello':
      return helloTimedOut(turn);
    case 'ack':
      return ackTimedOut(turn);
    case 'exit':
      return end(turn, 'programmatic');
  }
}
