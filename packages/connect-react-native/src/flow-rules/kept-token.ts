import { refusesToken } from '@tributary/connect-js/core';
import type { FlowEffect } from './effects.js';

/**
 * Rule 11: the token of the newest flow is kept until the final callback of that flow, or until the service refuses it.
 * A view that the app removes keeps it: the bank's return may still come.
 */
export function keptAfter(token: string | null, effects: readonly FlowEffect[]): string | null {
  return effects.some(forgetsToken) ? null : token;
}

function forgetsToken(effect: FlowEffect): boolean {
  if (effect.type !== 'call') return false;
  if (effect.callback === 'onError') return refusesToken(effect.payload);
  return effect.callback === 'onSuccess' || effect.callback === 'onExit';
}
