import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { WrapCalls } from '../adapter.js';

/** A call with its response, before scrubbing. Headers and bodies of requests are never kept. */
export interface AnsweredCall {
  step: string;
  origin: string;
  method: string;
  path: string;
  status: number;
  contentType: string | null;
  /** A digest of the vendor's id of the request, by which the vendor finds it. */
  requestId: string | null;
  body: string;
}

const REQUEST_ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-fapi-interaction-id',
  'x-correlation-id',
  'cf-ray',
];

/** Keeps the responses of every call that passes through it, in the order of the calls. */
export class CallRecorder {
  readonly calls: AnsweredCall[] = [];
  /** The part of the walk that makes the calls. */
  step = '';

  readonly wrap: WrapCalls = (dispatcher) =>
    dispatcher.compose((dispatch) => (options, handler) => {
      const call: AnsweredCall = {
        step: this.step,
        origin: String(options.origin),
        method: options.method,
        path: options.path,
        status: 0,
        contentType: null,
        requestId: null,
        body: '',
      };
      this.calls.push(call);
      return dispatch(options, listening(handler, call));
    });
}

function listening(
  handler: Dispatcher.DispatchHandler,
  call: AnsweredCall,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart(controller, status, headers, message) {
      const text = (name: string) => headers[name]?.toString() ?? null;
      const id = REQUEST_ID_HEADERS.map(text).find((found) => found !== null);
      call.status = status;
      call.contentType = text('content-type');
      call.requestId = id === undefined ? null : createHash('sha256').update(`${id}`).digest('hex');
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData(controller, chunk) {
      chunks.push(Buffer.from(chunk));
      handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd(controller, trailers) {
      call.body = Buffer.concat(chunks).toString('utf8');
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
}

/**
 * The name of a call's request, without ids, queries and the path of the source before its
 * resources: `GET accounts/*`.
 */
export function requestName(method: string, path: string, resources: readonly string[]): string {
  const segments = (path.split('?')[0] ?? '').split('/').filter((segment) => segment !== '');
  const from = segments.findIndex((segment) => resources.includes(segment));
  const named = segments
    .slice(from === -1 ? segments.length : from)
    .map((segment) => (resources.includes(segment) ? segment : '*'));
  return `${method} ${named.join('/') || '*'}`;
}
