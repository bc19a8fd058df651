import type { Dispatcher } from 'undici';
import { AnswerExcerpt } from './answer-excerpt.js';

export interface PostRequest {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** webhooks 7: the response of a private target is not stored. */
  keepsExcerpt: boolean;
}

export interface PostAnswer {
  statusCode: number;
  retryAfter: string | null;
  excerpt: string | null;
  /** Arrival of status line and headers, by `performance.now()`. */
  answeredAt: number;
}

/**
 * Makes one POST. Uses the handler of undici directly: the streams of `request` cost as much as the rest of an attempt.
 * The response counts once its headers have arrived, whatever happens to its body.
 *
 * @param signal ends the request immediately; one that still waits for its connection is never sent
 * @throws the reason of `signal`, or the error of the connection, when there is no response
 */
export function postOnce(
  dispatcher: Dispatcher,
  { path, headers, body, keepsExcerpt }: PostRequest,
  signal: AbortSignal,
): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const excerpt = new AnswerExcerpt();
    let head: Omit<PostAnswer, 'excerpt'> | undefined;
    let controller: Dispatcher.DispatchController | undefined;

    const end = (failure: unknown): void => {
      signal.removeEventListener('abort', abort);
      if (head === undefined) reject(failure as Error);
      else resolve({ ...head, excerpt: keepsExcerpt ? excerpt.text : null });
    };
    const abort = (): void => {
      end(signal.reason);
      controller?.abort(new Error('ended'));
    };
    signal.addEventListener('abort', abort);

    dispatcher.dispatch(
      { method: 'POST', path, headers, body },
      {
        onRequestStart(started) {
          controller = started;
          if (signal.aborted) started.abort(new Error('ended before it was sent'));
        },
        onResponseStart(_controller, statusCode, answered) {
          // A 1xx is not the final response.
          if (statusCode < 200) return;
          const retryAfter = [answered['retry-after']].flat()[0] ?? null;
          head = { statusCode, retryAfter, answeredAt: performance.now() };
        },
        onResponseData(_controller, chunk) {
          if (!excerpt.add(chunk)) abort();
        },
        onResponseEnd() {
          end(undefined);
        },
        onResponseError(_controller, error) {
          end(error);
        },
      },
    );
  });
}
