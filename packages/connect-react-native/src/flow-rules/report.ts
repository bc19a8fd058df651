import type {
  ConnectError,
  ConnectEvent,
  ConnectExit,
  ConnectExitReason,
  ConnectSuccess,
} from '@tributary/connect-js/core';
import type { Call } from './effects.js';

/** The reports of a flow so far. */
export interface Report {
  /** The final callback was called. */
  readonly finished: boolean;
  readonly hasClosingEvent: boolean;
  readonly sessionId: string | null;
  readonly linkType: 'link' | 'relink';
  readonly errors: readonly ConnectError[];
}

export const NOTHING_REPORTED: Report = {
  finished: false,
  hasClosingEvent: false,
  sessionId: null,
  linkType: 'link',
  errors: [],
};

export type Happening =
  | { type: 'ready'; session_id: string; mode: 'link' | 'relink' }
  | { type: 'event'; event: ConnectEvent }
  | { type: 'error'; error: ConnectError }
  | { type: 'success'; success: ConnectSuccess }
  | { type: 'exit'; exit: ConnectExit }
  /** Ends on the SDK's side. */
  | { type: 'end'; reason: ConnectExitReason; error: ConnectError | null };

/**
 * Order and count of the callbacks of one flow, as in connect 9.1: the closing event first, an
 * error of the exit also to `onError`, one final callback, nothing after it.
 */
export function reportOf(before: Report, happening: Happening, at: number): [Report, Call[]] {
  if (before.finished) return [before, []];
  switch (happening.type) {
    case 'ready': {
      const { session_id: sessionId, mode: linkType } = happening;
      return [{ ...before, sessionId, linkType }, [{ callback: 'onReady', payload: null }]];
    }
    case 'event': {
      const { event } = happening;
      const isClosing = event.name === 'success' || event.name === 'exit';
      return [
        { ...before, hasClosingEvent: before.hasClosingEvent || isClosing },
        [{ callback: 'onEvent', payload: event }],
      ];
    }
    case 'error':
      return withError(before, happening.error);
    case 'success':
      return finish(
        before,
        at,
        'success',
        {},
        {
          callback: 'onSuccess',
          payload: happening.success,
        },
      );
    case 'exit':
      return exit(before, at, happening.exit);
    case 'end': {
      const { reason, error } = happening;
      const { sessionId: session_id } = before;
      return exit(before, at, { reason, error, session_id, institution: null, search_term: null });
    }
  }
}

function withError(before: Report, error: ConnectError): [Report, Call[]] {
  return [
    { ...before, errors: [...before.errors, error] },
    [{ callback: 'onError', payload: error }],
  ];
}

function exit(before: Report, at: number, ended: ConnectExit): [Report, Call[]] {
  const { error } = ended;
  const same = before.errors.find((each) => JSON.stringify(each) === JSON.stringify(error));
  const [after, calls]: [Report, Call[]] =
    error === null || same !== undefined ? [before, []] : withError(before, error);
  // The same object, for programs that compare by identity.
  const payload: ConnectExit = { ...ended, error: same ?? error };
  const [last, final] = finish(
    after,
    at,
    'exit',
    { reason: ended.reason },
    {
      callback: 'onExit',
      payload,
    },
  );
  return [last, [...calls, ...final]];
}

function finish(
  before: Report,
  at: number,
  name: 'success' | 'exit',
  properties: Record<string, unknown>,
  final: Call,
): [Report, Call[]] {
  const { linkType: link_type, sessionId: link_session_id } = before;
  const timestamp = new Date(at).toISOString().slice(0, -1);
  const closing: Call = {
    callback: 'onEvent',
    payload: { name, properties, meta: { link_type, timestamp, link_session_id } },
  };
  return [
    { ...before, hasClosingEvent: true, finished: true },
    before.hasClosingEvent ? [final] : [closing, final],
  ];
}
