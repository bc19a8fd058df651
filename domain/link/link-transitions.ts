import { FETCH_FAULTS, type LinkError, type LinkStatus, type LinkState } from './link-state.js';

/** Events of a link. Source: link-lifecycle 6.2. */
export type LinkEvent =
  | { type: 'login_started'; sameSessionAndInstitution: boolean }
  | { type: 'linking_done' }
  | { type: 'exchanged' }
  | { type: 'exchange_window_over' }
  | { type: 'given_up_before' }
  | { type: 'given_up_after' }
  | { type: 'login_failed'; error: LinkError }
  | { type: 'auth_lost' }
  | { type: 'fetch_faulty'; error: LinkError }
  | { type: 'fetch_recovered' }
  | { type: 'relink_done' }
  | { type: 'relink_failed' }
  | { type: 'reset' }
  | { type: 'import' }
  | { type: 'delete' }
  | { type: 'purge' };
export type LinkEventType = LinkEvent['type'];

/**
 * The table's verdict on an event in a state. `change` emits exactly one `link.state_changed`;
 * `none` changes and announces nothing; `refused` cannot happen or is handled as in link-lifecycle
 * 6.5; `gone` deletes the record.
 */
export type Verdict =
  | { kind: 'change'; state: LinkState; error: LinkError | null }
  | { kind: 'none' }
  | { kind: 'refused' }
  | { kind: 'gone' };

type Cell = Verdict | ((link: LinkStatus, event: LinkEvent) => Verdict);
export type StateColumn = LinkState | 'absent';

const none: Verdict = { kind: 'none' };
const refused: Verdict = { kind: 'refused' };
const to = (state: LinkState): Verdict => ({ kind: 'change', state, error: null });
const toError = (error: LinkError): Verdict => ({ kind: 'change', state: 'error', error });
const toErrorOfEvent = (_: LinkStatus, event: LinkEvent): Verdict =>
  'error' in event ? toError(event.error) : refused;
const isFault = (error: LinkError | null): boolean =>
  error !== null && FETCH_FAULTS.includes(error);

/** The rows of link-lifecycle 6.3, with its columns in order. */
const TABLE: Record<LinkEventType, Record<StateColumn, Cell>> = {
  login_started: row(
    to('connecting'),
    none,
    refused,
    refused,
    (link, event) =>
      event.type === 'login_started' && event.sameSessionAndInstitution && !link.everConnected
        ? to('connecting')
        : refused,
    refused,
  ),
  linking_done: row(refused, to('awaiting_token_exchange'), none, refused, refused, refused),
  exchanged: row(refused, refused, to('connected'), refused, refused, refused),
  exchange_window_over: row(refused, refused, toError('user_error'), none, refused, none),
  given_up_before: row(refused, toError('user_error'), none, none, none, none),
  given_up_after: row(refused, toError('incomplete'), none, none, none, none),
  login_failed: row(refused, toErrorOfEvent, refused, refused, refused, refused),
  auth_lost: row(
    refused,
    refused,
    none,
    toError('auth_expired'),
    (link) => (isFault(link.error) ? toError('auth_expired') : none),
    none,
  ),
  fetch_faulty: row(
    refused,
    refused,
    none,
    toErrorOfEvent,
    (link, event) =>
      'error' in event && isFault(link.error) && link.error !== event.error
        ? toError(event.error)
        : none,
    none,
  ),
  fetch_recovered: row(
    refused,
    refused,
    none,
    none,
    (link) => (isFault(link.error) ? to('connected') : none),
    none,
  ),
  relink_done: row(refused, refused, refused, none, to('connected'), refused),
  relink_failed: row(refused, refused, refused, none, none, none),
  reset: row(
    refused,
    refused,
    refused,
    toError('auth_expired'),
    (link) => (link.error === 'auth_expired' ? none : toError('auth_expired')),
    refused,
  ),
  import: row(toError('auth_expired'), refused, refused, refused, refused, refused),
  delete: row(refused, to('deleted'), to('deleted'), to('deleted'), to('deleted'), refused),
  purge: row(
    refused,
    refused,
    refused,
    refused,
    (link) => (link.everConnected ? refused : { kind: 'gone' }),
    { kind: 'gone' },
  ),
};

function row(
  absent: Cell,
  connecting: Cell,
  awaiting: Cell,
  connected: Cell,
  error: Cell,
  deleted: Cell,
): Record<StateColumn, Cell> {
  return { absent, connecting, awaiting_token_exchange: awaiting, connected, error, deleted };
}

/** Looks up an event in the state table. `link` is null when the row does not exist yet. */
export function judgeTransition(link: LinkStatus | null, event: LinkEvent): Verdict {
  const cell = TABLE[event.type][link?.state ?? 'absent'];
  if (typeof cell !== 'function') return cell;
  return link === null ? refused : cell(link, event);
}
