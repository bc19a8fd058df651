import type { LinkEvent } from '../link/link-transitions.js';

/**
 * The refusals that no retry can change, by the names of their errors. The texts may appear in a
 * workflow history.
 */
export const CHANGE_REFUSALS = {
  TransitionRefused: 'The link is not in a state that allows this.',
  SessionOver: 'The session has ended.',
  AttemptOver: 'Another login took its place, or the user left.',
  StaleRefreshRun: 'A newer run, or the end of the link, took its place.',
} as const;

/** A change that arrived too late, or that the state of its link does not allow. */
export abstract class ChangeRefused extends Error {
  abstract override readonly name: keyof typeof CHANGE_REFUSALS;
}

/**
 * The state table does not allow this event now. Callers respond as link-lifecycle 6.5 specifies.
 */
export class TransitionRefused extends ChangeRefused {
  override readonly name = 'TransitionRefused';

  constructor(
    readonly linkId: string,
    readonly event: LinkEvent['type'],
    readonly state: string,
  ) {
    super(`${event} is not possible in state ${state}`);
  }
}

/** The session has ended, so the call has no effect. */
export class SessionOver extends ChangeRefused {
  override readonly name = 'SessionOver';

  constructor(readonly sessionId: string) {
    super(`the session ${sessionId} has ended`);
  }
}

/** Another login replaced this one, or the user left it, so its result is discarded. */
export class AttemptOver extends ChangeRefused {
  override readonly name = 'AttemptOver';

  constructor(readonly sessionId: string) {
    super(`the login in ${sessionId} is over`);
  }
}

/**
 * The run or attempt may no longer write: a newer one replaced it, the link ended, or the product
 * was settled elsewhere.
 */
export class StaleRefreshRun extends ChangeRefused {
  override readonly name = 'StaleRefreshRun';

  constructor(
    readonly linkId: string,
    readonly run: string,
  ) {
    super(`run ${run} of ${linkId} may not write any more`);
  }
}
