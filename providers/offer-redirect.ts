import type { LoginOutcome } from './contract/provider.js';

/** connect 7: a redirect is valid for 15 minutes. */
export const REDIRECT_VALID_FOR_MS = 15 * 60_000;

/** The first step if users log in on the bank's own pages, which is offered before any call. */
export function offerRedirect(): LoginOutcome {
  return {
    kind: 'step',
    step: { kind: 'redirect', started: false },
    message: null,
    error: null,
    attemptsLeft: null,
    expiresAt: null,
    state: new Uint8Array(),
  };
}
