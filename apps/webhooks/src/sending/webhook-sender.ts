import { AttemptInterrupted } from '../../../../domain/webhooks/attempt-interrupted.js';
import { parseRetryAfter, type AttemptOutcome } from '../../../../domain/webhooks/judge-attempt.js';
import { ANSWER_RULES, type WebhookFormat } from '../../../../domain/webhooks/webhook-format.js';
import type { DueDelivery } from '../../../../prisma/announcements/webhooks/due-delivery.js';
import { classifyFailure } from './classify-failure.js';
import type { PinnedConnections } from './pinned-connections.js';
import { postOnce, type PostAnswer, type PostRequest } from './post-once.js';
import type { Envelope } from '../../../platform/src/envelopes/webhook-envelope.js';

export interface SenderOptions {
  envelopes: Record<WebhookFormat, Envelope>;
  /** For lookup, connect, send, status line and headers together. */
  timeoutMs: Record<WebhookFormat, number>;
  /** The bytes to send where the log does not store them in clear text. */
  openBody: (delivery: DueDelivery) => Promise<string>;
  connections: Pick<PinnedConnections, 'to'>;
  clock: () => Date;
}

export interface Answer extends AttemptOutcome {
  startedAt: Date;
  durationMs: number;
  responseExcerpt: string | null;
}

export interface WebhookSender {
  /**
   * Signs with the current key and makes one request, by the rules of the delivery's format.
   *
   * @throws AttemptInterrupted when `stop` fires before there is an outcome
   */
  send(delivery: DueDelivery, stop: AbortSignal): Promise<Answer>;
}

class TimedOut extends Error {}

export function createWebhookSender({
  envelopes,
  timeoutMs,
  openBody,
  connections,
  clock,
}: SenderOptions): WebhookSender {
  async function send(delivery: DueDelivery, stop: AbortSignal): Promise<Answer> {
    const { format, sealedBody } = delivery;
    const body = Buffer.from(sealedBody === null ? delivery.body : await openBody(delivery));
    const startedAt = clock();
    const headers = await envelopes[format](delivery, body, startedAt);
    const start = performance.now();
    try {
      const answer = await post(new URL(delivery.url), { headers, body }, timeoutMs[format], stop);
      return {
        startedAt,
        durationMs: Math.round(answer.answeredAt - start),
        httpStatus: answer.statusCode,
        error: ANSWER_RULES[format].isAccepted(answer.statusCode) ? null : 'http_status',
        retryAfterSeconds: parseRetryAfter(answer.retryAfter, clock()),
        responseExcerpt: answer.excerpt,
      };
    } catch (error) {
      if (error instanceof AttemptInterrupted) throw error;
      return {
        startedAt,
        durationMs: Math.round(performance.now() - start),
        httpStatus: null,
        error: error instanceof TimedOut ? 'timeout' : classifyFailure(error),
        retryAfterSeconds: null,
        responseExcerpt: null,
      };
    }
  }

  async function post(
    target: URL,
    request: Pick<PostRequest, 'headers' | 'body'>,
    withinMs: number,
    stop: AbortSignal,
  ): Promise<PostAnswer> {
    const limit = new AbortController();
    const interrupt = (): void => limit.abort(new AttemptInterrupted());
    const timer = setTimeout(() => limit.abort(new TimedOut()), withinMs);
    stop.addEventListener('abort', interrupt);
    if (stop.aborted) interrupt();
    try {
      const { dispatcher, isPrivate } = await beforeAbort(connections.to(target), limit.signal);
      const path = target.pathname + target.search;
      return await postOnce(
        dispatcher,
        { ...request, path, keepsExcerpt: !isPrivate },
        limit.signal,
      );
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', interrupt);
    }
  }

  return { send };
}

/** A name lookup cannot be canceled; after the abort its result is ignored. */
function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
