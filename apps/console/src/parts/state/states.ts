/** The icon and color of a state; its word is always beside them. */
export type Tone = 'good' | 'warning' | 'bad' | 'waiting' | 'off';

export interface StateWords {
  tone: Tone;
  word: string;
}

const LINK_STATES: Readonly<Record<string, StateWords>> = {
  connecting: { tone: 'waiting', word: 'Connecting' },
  awaiting_token_exchange: { tone: 'waiting', word: 'Waits for the app' },
  connected: { tone: 'good', word: 'Connected' },
  deleted: { tone: 'off', word: 'Deleted' },
};

const LINK_ERRORS: Readonly<Record<string, StateWords>> = {
  auth_expired: { tone: 'warning', word: 'Sign-in needed' },
  user_error: { tone: 'warning', word: 'Unfinished' },
  incomplete: { tone: 'warning', word: 'Unfinished' },
  institution_error: { tone: 'bad', word: 'Fault at the bank' },
  provider_error: { tone: 'bad', word: 'Fault at the source' },
  system_error: { tone: 'bad', word: 'Fault in the service' },
};

const EVENT_STATUSES: Readonly<Record<string, StateWords>> = {
  pending: { tone: 'waiting', word: 'Waiting' },
  delivered: { tone: 'good', word: 'Delivered' },
  exhausted: { tone: 'bad', word: 'Abandoned' },
  disabled: { tone: 'warning', word: 'Address disabled' },
  no_address: { tone: 'off', word: 'No address' },
  canceled: { tone: 'off', word: 'Canceled' },
  replaced: { tone: 'off', word: 'Replaced by a replay' },
};

const OUTCOMES: Readonly<Record<string, StateWords>> = {
  linked: { tone: 'good', word: 'Linked' },
  relinked: { tone: 'good', word: 'Signed in again' },
  exited: { tone: 'warning', word: 'Left by the user' },
  expired: { tone: 'off', word: 'Expired' },
  superseded: { tone: 'off', word: 'Replaced by a newer one' },
  canceled: { tone: 'off', word: 'Canceled' },
};

const SESSION_STATES: Readonly<Record<string, StateWords>> = {
  created: { tone: 'waiting', word: 'Not opened yet' },
  open: { tone: 'waiting', word: 'Open now' },
  succeeded: { tone: 'good', word: 'Succeeded' },
  ended: { tone: 'off', word: 'Ended' },
};

/** A later service may have states of its own: they are shown by their names. */
const named = (table: Readonly<Record<string, StateWords>>, name: string): StateWords =>
  Object.hasOwn(table, name)
    ? (table[name] as StateWords)
    : { tone: 'off', word: name.replaceAll('_', ' ') };

export const linkState = (state: string, error: string | null): StateWords =>
  state === 'error' ? named(LINK_ERRORS, error ?? 'system_error') : named(LINK_STATES, state);

export const eventStatus = (status: string, attempts?: number): StateWords => {
  const { tone, word } = named(EVENT_STATUSES, status);
  return status === 'exhausted' && attempts !== undefined
    ? { tone, word: `${word} after ${attempts}` }
    : { tone, word };
};

export const sessionState = (state: string, outcome: string | null): StateWords =>
  outcome === null ? named(SESSION_STATES, state) : named(OUTCOMES, outcome);
