import type { Dispatcher } from 'undici';
import { AnswerExcerpt } from './answer-excerpt.js';

export interface PostRequest {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** webhooks 7: of what a private target answers nothing is kept. */
  keepsExcerpt: boolean;
}

interface AnswerHead {
  statusCode: number;
  retryAfter: string | null;
}

/** What came back: an answer, or why there is none. */
export type PostResult = (AnswerHead & { excerpt: string | null }) | { failure: unknown };

export interface PostEvents {
  /** The head of the answer is there: from now on the result is an answer, whatever happens to the rest of it. */
  onHead(): void;
  onResult(result: PostResult): void;
}

/**
 * One POST. Straight on undici's handler, since the streams and signals of `request` cost as much as the rest of an
 * attempt.
 *
 * @returns a function that ends it at once; a request that still waits for its connection is never sent after that
 */
export function postOnce(
  dispatcher: Dispatcher,
  { path, headers, body, keepsExcerpt }: PostRequest,
  { onHead, onResult }: PostEvents,
): (failure: unknown) => void {
  const excerpt = new AnswerExcerpt();
  let head: AnswerHead | undefined;
  let controller: Dispatcher.DispatchController | undefined;
  let ended = false;

  function end(failure: unknown): boolean {
    if (ended) return false;
    ended = true;
    onResult(
      head === undefined ? { failure } : { ...head, excerpt: keepsExcerpt ? excerpt.text : null },
    );
    return true;
  }
  function endAndAbort(failure: unknown): void {
    if (end(failure)) controller?.abort(new Error('ended'));
  }

  dispatcher.dispatch(
    { method: 'POST', path, headers, body },
    {
      onRequestStart(started) {
        controller = started;
        if (ended) started.abort(new Error('ended before it was sent'));
      },
      onResponseStart(_controller, statusCode, answered) {
        // A 1xx is not the answer yet.
        if (statusCode < 200) return;
        const retryAfter = answered['retry-after'];
        head = {
          statusCode,
          retryAfter: (Array.isArray(retryAfter) ? retryAfter[0] : retryAfter) ?? null,
        };
        onHead();
      },
      onResponseData(_controller, chunk) {
        if (!excerpt.add(chunk)) endAndAbort(undefined);
      },
      onResponseEnd() {
        end(undefined);
      },
      onResponseError(_controller, error) {
        end(error);
      },
    },
  );
  return endAndAbort;
}
