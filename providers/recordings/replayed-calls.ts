import type { Dispatcher } from 'undici';
import type { WrapCalls } from '../adapter.js';
import { requestName } from './recorded-calls.js';

/** A response in a recording. */
export interface RecordedAnswer {
  /** The name from `requestName`. */
  request: string;
  status: number;
  contentType: string | null;
  body: string;
}

const CONTROLLER: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

/**
 * Responds to calls from a recording, without a connection: calls with the same request receive its
 * responses in order. A call that was not recorded fails.
 */
export function replayCalls(
  answers: readonly RecordedAnswer[],
  resources: readonly string[],
): WrapCalls {
  const left = new Map<string, RecordedAnswer[]>();
  for (const answer of answers)
    left.set(answer.request, [...(left.get(answer.request) ?? []), answer]);
  return (dispatcher) =>
    dispatcher.compose(() => (options, handler) => {
      const name = requestName(options.method, options.path, resources);
      const answer = left.get(name)?.shift();
      setImmediate(() => reply(handler, answer, name));
      return true;
    });
}

function reply(
  handler: Dispatcher.DispatchHandler,
  answer: RecordedAnswer | undefined,
  name: string,
): void {
  handler.onRequestStart?.(CONTROLLER, {});
  if (answer === undefined) {
    const error = Object.assign(new Error(`not recorded: ${name}`), { code: 'NOT_RECORDED' });
    handler.onResponseError?.(CONTROLLER, error);
    return;
  }
  const { status, contentType, body } = answer;
  const headers = contentType === null ? {} : { 'content-type': contentType };
  handler.onResponseStart?.(CONTROLLER, status, headers, '');
  handler.onResponseData?.(CONTROLLER, Buffer.from(body));
  handler.onResponseEnd?.(CONTROLLER, {});
}
