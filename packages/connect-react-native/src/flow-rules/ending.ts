import type { ConnectError, ConnectExitReason } from '@tributary/connect-js/core';
import type { InputOf } from './inputs.js';
import type { Turn } from './turn.js';

/** Rule 9: a hosted app that does not respond must not keep the app covered. */
const FORCED_EXIT_WITHIN_MS = 2_000;

/** Ends the flow on the SDK's side; without a callback when the final one was called. */
export function end(
  turn: Turn,
  reason: ConnectExitReason,
  error: ConnectError | null = null,
): void {
  turn.remove();
  turn.report({ type: 'end', reason, error });
}

export function exit(turn: Turn, { force }: Pick<InputOf<'exit'>, 'force'>): void {
  // Where the user cannot be asked: before the handshake, after a failure, after the final callback.
  if (turn.name !== 'open') return end(turn, 'programmatic', turn.memory.failure);
  turn.send('request_exit', { force, reason: 'programmatic' });
  if (force && !turn.memory.timers.includes('exit')) turn.startTimer('exit', FORCED_EXIT_WITHIN_MS);
}
