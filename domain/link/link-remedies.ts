import type { LinkError, LinkState } from './link-state.js';

/** A state of a link in words, and who can do what about it. */
export interface LinkRemedy {
  /** A few words. */
  title: string;
  meaning: string;
  /** Null = nothing is to be done. */
  remedy: string | null;
}

const RETRIED =
  'Wait: refreshes go on, and one that succeeds repairs the link. If many links of the bank have it, see institutions list, routes explain and your metrics.';
const NEW_SIGN_IN =
  'Create a link session with existing_link_id, hosted if you need an address to send, in which the account owner signs in again.';

export const STATE_REMEDIES: Readonly<Record<Exclude<LinkState, 'error'>, LinkRemedy>> = {
  connecting: {
    title: 'Connecting',
    meaning: 'Its user is signing in at the bank, or left before the end.',
    remedy: 'Wait for the end of the session; it ends at its own deadline.',
  },
  awaiting_token_exchange: {
    title: 'Waits for the app',
    meaning: 'The user has finished, and the app has not exchanged the token yet.',
    remedy:
      'Exchange the token before exchange_expires_at; afterwards the link needs a new sign-in.',
  },
  connected: {
    title: 'Connected',
    meaning: 'Its data is refreshed by schedule.',
    remedy: null,
  },
  deleted: {
    title: 'Deleted',
    meaning: 'Its data is erased. The bare record is shown for 90 days.',
    remedy: null,
  },
};

/** Source: link-lifecycle 6.1 and 6.2. */
export const ERROR_REMEDIES: Readonly<Record<LinkError, LinkRemedy>> = {
  auth_expired: {
    title: 'Sign-in needed',
    meaning: 'The bank ended the permission; only the account owner can renew it.',
    remedy: NEW_SIGN_IN,
  },
  user_error: {
    title: 'Unfinished',
    meaning: 'The account owner did not finish the sign-in, or the bank did not accept it.',
    remedy: NEW_SIGN_IN,
  },
  incomplete: {
    title: 'Unfinished',
    meaning: 'The sign-in ended before the bank had what it needs.',
    remedy: NEW_SIGN_IN,
  },
  institution_error: {
    title: 'Fault at the bank',
    meaning: 'Three refreshes in a row failed at the bank, or a sign-in did.',
    remedy: RETRIED,
  },
  provider_error: {
    title: 'Fault at the source',
    meaning: 'Three refreshes in a row failed at the source of bank data, or a sign-in did.',
    remedy: `${RETRIED} See also providers check.`,
  },
  system_error: {
    title: 'Fault in the service',
    meaning: 'The service itself failed three times in a row, or during a sign-in.',
    remedy: 'Look for the log lines with the id of the link or session, and report the fault.',
  },
};

/** @param error null unless the state is `error` */
export function remedyOf(state: LinkState, error: LinkError | null): LinkRemedy {
  return state === 'error' ? ERROR_REMEDIES[error ?? 'system_error'] : STATE_REMEDIES[state];
}
