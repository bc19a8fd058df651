import {
  FETCH_FAULTS,
  LINK_ERRORS,
  type LinkError,
  type LinkStatus,
} from '../../../../domain/link/link-state.js';
import {
  judgeTransition,
  type LinkEvent,
  type LinkEventType,
  type StateColumn,
  type Verdict,
} from '../../../../domain/link/link-transitions.js';

/**
 * The table of link-lifecycle 6.3, written down a second time in the letters of the contract:
 * `✗` refused, `—` nothing, `gone`, or the state that follows with its event.
 */
const CONTRACT: Record<
  LinkEventType,
  Record<StateColumn, string | ((link: LinkStatus, event: LinkEvent) => string)>
> = {
  login_started: {
    absent: 'connecting ✉',
    connecting: '—',
    awaiting_token_exchange: '✗',
    connected: '✗',
    error: (link, event) =>
      event.type === 'login_started' && event.sameSessionAndInstitution && !link.everConnected
        ? 'connecting ✉'
        : '✗',
    deleted: '✗',
  },
  linking_done: {
    absent: '✗',
    connecting: 'awaiting_token_exchange ✉',
    awaiting_token_exchange: '—',
    connected: '✗',
    error: '✗',
    deleted: '✗',
  },
  exchanged: {
    absent: '✗',
    connecting: '✗',
    awaiting_token_exchange: 'connected ✉',
    connected: '✗',
    error: '✗',
    deleted: '✗',
  },
  exchange_window_over: {
    absent: '✗',
    connecting: '✗',
    awaiting_token_exchange: 'error/user_error ✉',
    connected: '—',
    error: '✗',
    deleted: '—',
  },
  given_up_before: {
    absent: '✗',
    connecting: 'error/user_error ✉',
    awaiting_token_exchange: '—',
    connected: '—',
    error: '—',
    deleted: '—',
  },
  given_up_after: {
    absent: '✗',
    connecting: 'error/incomplete ✉',
    awaiting_token_exchange: '—',
    connected: '—',
    error: '—',
    deleted: '—',
  },
  login_failed: {
    absent: '✗',
    connecting: kind,
    awaiting_token_exchange: '✗',
    connected: '✗',
    error: '✗',
    deleted: '✗',
  },
  auth_lost: {
    absent: '✗',
    connecting: '✗',
    awaiting_token_exchange: '—',
    connected: 'error/auth_expired ✉',
    error: (link) => (isFault(link.error) ? 'error/auth_expired ✉' : '—'),
    deleted: '—',
  },
  fetch_faulty: {
    absent: '✗',
    connecting: '✗',
    awaiting_token_exchange: '—',
    connected: kind,
    error: (link, event) =>
      'error' in event && isFault(link.error) && link.error !== event.error
        ? kind(link, event)
        : '—',
    deleted: '—',
  },
  fetch_recovered: {
    absent: '✗',
    connecting: '✗',
    awaiting_token_exchange: '—',
    connected: '—',
    error: (link) => (isFault(link.error) ? 'connected ✉' : '—'),
    deleted: '—',
  },
  relink_done: {
    absent: '✗',
    connecting: '✗',
    awaiting_token_exchange: '✗',
    connected: '—',
    error: 'connected ✉',
    deleted: '✗',
  },
  relink_failed: {
    absent: '✗',
    connecting: '✗',
    awaiting_token_exchange: '✗',
    connected: '—',
    error: '—',
    deleted: '—',
  },
  reset: {
    absent: '✗',
    connecting: '✗',
    awaiting_token_exchange: '✗',
    connected: 'error/auth_expired ✉',
    error: (link) => (link.error === 'auth_expired' ? '—' : 'error/auth_expired ✉'),
    deleted: '✗',
  },
  import: {
    absent: 'error/auth_expired ✉',
    connecting: '✗',
    awaiting_token_exchange: '✗',
    connected: '✗',
    error: '✗',
    deleted: '✗',
  },
  delete: {
    absent: '✗',
    connecting: 'deleted ✉',
    awaiting_token_exchange: 'deleted ✉',
    connected: 'deleted ✉',
    error: 'deleted ✉',
    deleted: '✗',
  },
  purge: {
    absent: '✗',
    connecting: '✗',
    awaiting_token_exchange: '✗',
    connected: '✗',
    error: (link) => (link.everConnected ? '✗' : 'gone'),
    deleted: 'gone',
  },
};

function kind(_link: LinkStatus, event: LinkEvent): string {
  return 'error' in event ? `error/${event.error} ✉` : '✗';
}

function isFault(error: LinkError | null): boolean {
  return error !== null && FETCH_FAULTS.includes(error);
}

function inLetters(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'change':
      return verdict.error === null ? `${verdict.state} ✉` : `${verdict.state}/${verdict.error} ✉`;
    case 'none':
      return '—';
    case 'refused':
      return '✗';
    case 'gone':
      return 'gone';
  }
}

const COLUMNS: readonly StateColumn[] = [
  'absent',
  'connecting',
  'awaiting_token_exchange',
  'connected',
  'error',
  'deleted',
];

/** Every form that a column can have: each LinkError, connected before or not. */
function standings(column: StateColumn): (LinkStatus | null)[] {
  if (column === 'absent') return [null];
  if (column !== 'error')
    return [{ state: column, error: null, everConnected: column === 'connected' }];
  return LINK_ERRORS.flatMap((error) =>
    [true, false].map((everConnected) => ({ state: 'error' as const, error, everConnected })),
  );
}

/** Every form that an event can have. */
function events(type: LinkEventType): LinkEvent[] {
  switch (type) {
    case 'login_started':
      return [true, false].map((sameSessionAndInstitution) => ({
        type,
        sameSessionAndInstitution,
      }));
    case 'login_failed':
      return LINK_ERRORS.map((error) => ({ type, error }));
    case 'fetch_faulty':
      return FETCH_FAULTS.map((error) => ({ type, error }));
    case 'linking_done':
    case 'exchanged':
    case 'exchange_window_over':
    case 'given_up_before':
    case 'given_up_after':
    case 'auth_lost':
    case 'fetch_recovered':
    case 'relink_done':
    case 'relink_failed':
    case 'reset':
    case 'import':
    case 'delete':
    case 'purge':
      return [{ type }];
  }
}

const TYPES = Object.keys(CONTRACT) as LinkEventType[];
const CELLS = TYPES.flatMap((type) => COLUMNS.map((column) => ({ type, column })));

describe('The state table of a link (link-lifecycle 6.3)', () => {
  it.each(CELLS)('defines $type in $column as the contract does', ({ type, column }) => {
    for (const event of events(type)) {
      for (const link of standings(column)) {
        const expected = CONTRACT[type][column];
        const letters =
          typeof expected === 'string' ? expected : link === null ? '✗' : expected(link, event);
        expect({ event, link, verdict: inLetters(judgeTransition(link, event)) }).toEqual({
          event,
          link,
          verdict: letters,
        });
      }
    }
  });

  it('sets an error exactly in state error, for any sequence of events', () => {
    for (const { type, column } of CELLS) {
      for (const event of events(type)) {
        for (const link of standings(column)) {
          const verdict = judgeTransition(link, event);
          if (verdict.kind === 'change')
            expect(verdict.error !== null).toBe(verdict.state === 'error');
        }
      }
    }
  });
});
