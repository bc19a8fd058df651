import type { LinkStatus } from './link-state.js';

/**
 * Whether a link counts against its client's trial limit: from `connecting` on, until it is deleted
 * or ends in `error` without ever having been connected. Source: link-lifecycle 12.
 */
export function countsTowardLimit({ state, everConnected }: LinkStatus): boolean {
  return state === 'error' ? everConnected : state !== 'deleted';
}

/** The client has reached its limit of Live links. */
export class TrialLimitReached extends Error {
  override readonly name = 'TrialLimitReached';

  constructor(readonly clientId: string) {
    super('the client has as many Live links as it may have');
  }
}
