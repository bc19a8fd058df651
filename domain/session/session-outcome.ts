import type { SessionExit } from './session-exit.js';

/** Source: native-api 4.12. */
export const SESSION_STATES = ['created', 'open', 'succeeded', 'ended'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** The outcomes that an event announces. Source: webhooks 2.6. */
export const ANNOUNCED_OUTCOMES = ['linked', 'relinked', 'exited', 'expired'] as const;
export type AnnouncedOutcome = (typeof ANNOUNCED_OUTCOMES)[number];

/** The app or the operator caused the others. Source: native-api 4.12. */
export const SESSION_OUTCOMES = [...ANNOUNCED_OUTCOMES, 'superseded', 'canceled'] as const;
export type SessionOutcome = (typeof SESSION_OUTCOMES)[number];

/** True for an end that the user of the session caused. */
export function isAnnounced(outcome: SessionOutcome | null): outcome is AnnouncedOutcome {
  return (ANNOUNCED_OUTCOMES as readonly (SessionOutcome | null)[]).includes(outcome);
}

export interface OutcomeFacts {
  mode: 'link' | 'relink';
  state: SessionState;
  endReason: string | null;
  expiresAt: Date;
  /** The time at which the result took effect in a link; null = it did not. */
  succeededAt: Date | null;
  /** Null = the user has not left, or is back. */
  exit: SessionExit | null;
}

/** The outcome of a session; null = its user may still act. */
export function outcomeOf(
  { mode, state, endReason, expiresAt, succeededAt, exit }: OutcomeFacts,
  now: Date,
): SessionOutcome | null {
  if (succeededAt !== null) return successOf(mode);
  if (state === 'ended' && endReason !== 'expired')
    return endReason === 'superseded' ? 'superseded' : 'canceled';
  if (exit !== null) return 'exited';
  return state === 'ended' || expiresAt <= now ? 'expired' : null;
}

export function successOf(mode: 'link' | 'relink'): 'linked' | 'relinked' {
  return mode === 'relink' ? 'relinked' : 'linked';
}
