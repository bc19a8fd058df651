import type {
  ConnectError,
  ConnectEvent,
  ConnectExit,
  ConnectExitReason,
  ConnectSuccess,
} from '../../connect-protocol/src/payloads.js';

// Every platform has it; the types of ES2022 do not.
declare const console: { error(...said: unknown[]): void };

/**
 * connect 9.1: exactly one of `onSuccess` and `onExit` is called, once per opened flow; `onError` any number of times; `onEvent` never after
 * the final one. A callback that throws is reported to the console and has no other effect.
 */
export interface ConnectCallbacks {
  onSuccess: (success: ConnectSuccess) => void;
  onExit?: (exit: ConnectExit) => void;
  onEvent?: (event: ConnectEvent) => void;
  onError?: (error: ConnectError) => void;
  /** The first screen is visible. */
  onReady?: () => void;
}

export interface Reporter {
  /** A final callback was called, or never will be. */
  readonly finished: boolean;
  ready(session: { session_id: string; mode: 'link' | 'relink' }): void;
  event(event: ConnectEvent): void;
  error(error: ConnectError): void;
  success(success: ConnectSuccess): void;
  exit(exit: ConnectExit): void;
  /** Ends the flow on the page's side. */
  end(reason: ConnectExitReason, error?: ConnectError): void;
  /** After this no callback is called. */
  silence(): void;
}

/**
 * Order and count of the callbacks of one flow, as in connect 9.1. Callbacks are looked up when
 * they are called.
 */
export function createReporter(callbacks: () => Partial<ConnectCallbacks>): Reporter {
  let finished = false;
  let closingEventReported = false;
  let sessionId: string | null = null;
  let linkType: 'link' | 'relink' = 'link';
  const errors: ConnectError[] = [];

  const event = (reported: ConnectEvent): void => {
    if (finished) return;
    if (reported.name === 'success' || reported.name === 'exit') closingEventReported = true;
    callSafely('onEvent', callbacks().onEvent, reported);
  };
  const ownEvent = (name: string, properties: Record<string, unknown>): void =>
    event({
      name,
      properties,
      meta: {
        link_type: linkType,
        timestamp: new Date().toISOString().slice(0, -1),
        link_session_id: sessionId,
      },
    });

  const error = (reported: ConnectError): void => {
    if (finished) return;
    errors.push(reported);
    callSafely('onError', callbacks().onError, reported);
  };

  /** When a flow ends because of an error, `onError` has received the same object. */
  const reportedError = (ending: ConnectError): ConnectError => {
    const same = errors.find(
      (earlier) => earlier === ending || JSON.stringify(earlier) === JSON.stringify(ending),
    );
    if (same === undefined) error(ending);
    return same ?? ending;
  };

  const finish = (
    name: 'success' | 'exit',
    properties: Record<string, unknown>,
    call: () => void,
  ): void => {
    if (finished) return;
    if (!closingEventReported) ownEvent(name, properties);
    // An event callback may have ended everything itself.
    if (finished) return;
    finished = true;
    call();
  };

  const exit = (reported: ConnectExit): void => {
    if (finished) return;
    const ended =
      reported.error === null ? reported : { ...reported, error: reportedError(reported.error) };
    finish('exit', { reason: ended.reason }, () => callSafely('onExit', callbacks().onExit, ended));
  };

  return {
    get finished() {
      return finished;
    },
    ready(session) {
      sessionId = session.session_id;
      linkType = session.mode;
      if (!finished) callSafely('onReady', callbacks().onReady, undefined);
    },
    event,
    error,
    success: (success) =>
      finish('success', {}, () => callSafely('onSuccess', callbacks().onSuccess, success)),
    exit,
    end: (reason, ending) =>
      exit({
        reason,
        error: ending ?? null,
        session_id: sessionId,
        institution: null,
        search_term: null,
      }),
    silence() {
      finished = true;
    },
  };
}

/** A callback that throws is reported to the console and stops nothing. */
export function callSafely<Payload>(
  name: string,
  callback: ((payload: Payload) => unknown) | undefined,
  payload: Payload,
): void {
  const report = (cause: unknown): void => console.error(`Connect: ${name} failed.`, cause);
  try {
    const result = callback?.(payload);
    if (result instanceof Promise) result.catch(report);
  } catch (cause) {
    report(cause);
  }
}
