import { refusesToken } from '@tributary/connect-js/core';
import type { FlowEffect } from './effects.js';

/**
 * Rule 11: the token of the newest flow is kept until the final callback of that flow, or until the service refuses it.
 * A view that the app removes keeps it: the bank's return may still arrive.
 */
export function keptAfter(token: string | null, effects: readonly FlowEffect[]): string | null {
  return effects.some(forgetsToken) ? null : token;
}

function forgetsToken(effect: FlowEffect): boolean {
  return (
    isFinal(effect) ||
    (effect.type === 'call' && effect.callback === 'onError' && refusesToken(effect.payload))
  );
}

/** The final callback of a flow. */
export function isFinal(effect: FlowEffect): boolean {
  return (
    effect.type === 'call' && (effect.callback === 'onSuccess' || effect.callback === 'onExit')
  );
}
