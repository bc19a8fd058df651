import { parseRetryAfter, type AttemptOutcome } from '../../../domain/webhooks/judge-attempt.js';
import { ANSWER_RULES, type WebhookFormat } from '../../../domain/webhooks/webhook-format.js';
import type { DueDelivery } from '../../../prisma/webhooks/webhook-delivery.repository.js';
import { classifyFailure } from './classify-failure.js';
import type { PinnedConnection, PinnedConnections } from './pinned-connections.js';
import type { Envelope } from './webhook-envelope.js';
import { onceAborted } from './once-aborted.js';
import { postOnce, type PostRequest, type PostResult } from './post-once.js';

export interface SenderOptions {
  envelopes: Record<WebhookFormat, Envelope>;
  /** Look-up, connect, send, status line and headers together. */
  timeoutMs: Record<WebhookFormat, number>;
  /** The bytes to send, where they are not those of the log. */
  openBody: (delivery: DueDelivery) => Promise<string>;
  connections: Pick<PinnedConnections, 'to'>;
  clock: () => Date;
}

export interface Answer extends AttemptOutcome {
  startedAt: Date;
  durationMs: number;
  responseExcerpt: string | null;
}

/** The process is stopping: nothing is known of this attempt, and it will be made again. */
export class AttemptInterrupted extends Error {
  override readonly name = 'AttemptInterrupted';
}

export interface WebhookSender {
  /**
   * Signs with the current key and makes the one request, by the rules of its format.
   *
   * @throws AttemptInterrupted when `stop` fires before there is an outcome
   */
  send(delivery: DueDelivery, stop: AbortSignal): Promise<Answer>;
}

const TIMED_OUT = Symbol('timed out');
const STOPPED = Symbol('stopped');

export function createWebhookSender({
  envelopes,
  timeoutMs,
  openBody,
  connections,
  clock,
}: SenderOptions): WebhookSender {
  async function send(delivery: DueDelivery, stop: AbortSignal): Promise<Answer> {
    const { format, sealedBody } = delivery;
    const body = Buffer.from(
      sealedBody === null ? delivery.body : await openBody(delivery),
      'utf8',
    );
    const startedAt = clock();
    const headers = await envelopes[format](delivery, body, startedAt);
    const begun = performance.now();
    let answeredAfter: number | undefined;
    const target = new URL(delivery.url);
    const result = await withinLimits(
      { stop, timeoutMs: timeoutMs[format] },
      () => connections.to(target),
      { path: target.pathname + target.search, headers, body },
      () => (answeredAfter = performance.now() - begun),
    );
    if ('failure' in result && result.failure === STOPPED) throw new AttemptInterrupted();
    return {
      startedAt,
      durationMs: Math.round(answeredAfter ?? performance.now() - begun),
      ...told(result, format),
    };
  }

  /** Ends after the time-out, or when the process stops. A name look-up cannot be cancelled; it is no longer waited for. */
  async function withinLimits(
    { stop, timeoutMs }: { stop: AbortSignal; timeoutMs: number },
    connect: () => Promise<PinnedConnection>,
    request: Omit<PostRequest, 'keepsExcerpt'>,
    onHead: () => void,
  ): Promise<PostResult> {
    return new Promise((resolve) => {
      let ended = false;
      const onResult = (result: PostResult): void => {
        ended = true;
        clearTimeout(timer);
        stopWaiting();
        resolve(result);
      };
      let end = (failure: unknown): void => onResult({ failure });
      const stopped = (): void => end(STOPPED);
      const timer = setTimeout(() => end(TIMED_OUT), timeoutMs);
      const stopWaiting = onceAborted(stop, stopped);
      if (stop.aborted) return stopped();
      connect()
        .then(({ dispatcher, isPrivate }) => {
          if (!ended)
            end = postOnce(
              dispatcher,
              { ...request, keepsExcerpt: !isPrivate },
              { onHead, onResult },
            );
        })
        .catch((failure: unknown) => {
          if (!ended) onResult({ failure });
        });
    });
  }

  function told(
    result: PostResult,
    format: WebhookFormat,
  ): AttemptOutcome & Pick<Answer, 'responseExcerpt'> {
    if ('failure' in result) {
      return {
        httpStatus: null,
        error: result.failure === TIMED_OUT ? 'timeout' : classifyFailure(result.failure),
        retryAfterSeconds: null,
        responseExcerpt: null,
      };
    }
    const { statusCode, retryAfter, excerpt } = result;
    return {
      httpStatus: statusCode,
      error: ANSWER_RULES[format].isAccepted(statusCode) ? null : 'http_status',
      retryAfterSeconds: parseRetryAfter(retryAfter, clock()),
      responseExcerpt: excerpt,
    };
  }

  return { send };
}
