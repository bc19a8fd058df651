import {
  isSameOrigin,
  readConnectError,
  readConnectEvent,
  readConnectExit,
  readConnectSuccess,
  readMessageText,
  readSession,
} from '@tributary/connect-js/core';
import { end } from './ending.js';
import type { InputOf } from './inputs.js';
import { greet } from './loading.js';
import { acknowledged, openLogin } from './login.js';
import type { Turn } from './turn.js';

type Payload = Record<string, unknown>;

/** Rule 1: a message counts from the main frame, of Connect's origin, with the channel of this load. */
export function receive(turn: Turn, { text, origin, main_frame }: InputOf<'message'>): void {
  if (!main_frame || !isSameOrigin(origin, turn.setup.base)) return;
  const message = readMessageText(text, turn.channel);
  if (message === undefined || turn.name === 'failed') return;
  if (message.type === 'hello') return greet(turn);
  if (turn.name === 'loading') return;
  if (message.type === 'close') return end(turn, 'user_closed');
  if (turn.name === 'open') HANDLERS.get(message.type)?.(turn, message.payload);
}

const HANDLERS = new Map<string, (turn: Turn, payload: Payload) => void>([
  [
    'ready',
    (turn, payload) => {
      const session = readSession(payload);
      if (session !== undefined) turn.report({ type: 'ready', ...session });
    },
  ],
  [
    'event',
    (turn, payload) => {
      const event = readConnectEvent(payload);
      if (event !== undefined) turn.report({ type: 'event', event });
    },
  ],
  [
    'error',
    (turn, payload) => {
      const error = readConnectError(payload);
      if (error !== undefined) turn.report({ type: 'error', error });
    },
  ],
  [
    'success',
    (turn, payload) => {
      const success = readConnectSuccess(payload);
      if (success === undefined) return;
      if (turn.memory.options.close_on_success === false) keepLastScreen(turn);
      else turn.remove();
      turn.report({ type: 'success', success });
    },
  ],
  [
    'exit',
    (turn, payload) => {
      const exit = readConnectExit(payload);
      if (exit === undefined) return;
      // connect 7: the older window shows "moved" until the end user closes it.
      if (exit.reason === 'moved') keepLastScreen(turn);
      else turn.remove();
      turn.report({ type: 'exit', exit });
    },
  ],
  ['oauth_open', openLogin],
  ['resume_ack', acknowledged],
]);

function keepLastScreen(turn: Turn): void {
  turn.closeLogin();
  turn.stopTimer('ack');
  turn.stopTimer('exit');
  turn.name = 'last_screen';
}
