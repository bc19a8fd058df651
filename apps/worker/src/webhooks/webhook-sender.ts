import type { Dispatcher } from 'undici';
import { parseRetryAfter, type AttemptOutcome } from '../../../../domain/webhook-attempts.js';
import type { SigningKeys } from '../../../../prisma/repositories/signing-key.repository.js';
import type { DueDelivery } from '../../../../prisma/repositories/webhook-delivery.repository.js';
import { signWebhook } from '../../../platform/src/signing/sign-webhook.js';
import { classifyFailure } from './classify-failure.js';
import type { PinnedConnections } from './pinned-connections.js';
import { postOnce, type PostRequest, type PostResult } from './post-once.js';

export interface SenderOptions {
  /** BASE_URL without trailing slash. */
  issuer: string;
  headerPrefix: string;
  /** WEBHOOK_TIMEOUT: look-up, connect, send, status line and headers together. */
  timeoutMs: number;
  keys: Pick<SigningKeys, 'current'>;
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
   * Signs with the current key and makes the one request.
   *
   * @throws AttemptInterrupted when `stop` fires before there is an outcome
   */
  send(delivery: DueDelivery, stop: AbortSignal): Promise<Answer>;
}

const TIMED_OUT = Symbol('timed out');
const STOPPED = Symbol('stopped');

export function createWebhookSender({ issuer, headerPrefix, timeoutMs, keys, connections, clock }: SenderOptions): WebhookSender {
  const names = { signature: `${headerPrefix}-signature`, token: `${headerPrefix}-delivery-token`, attempt: `${headerPrefix}-delivery-attempt` };
  const userAgent = `${headerPrefix}-webhooks/1`;

  async function send(delivery: DueDelivery, stop: AbortSignal): Promise<Answer> {
    const key = await keys.current();
    const body = Buffer.from(delivery.body, 'utf8');
    const startedAt = clock();
    const headers = {
      // webhooks 3: every attempt sends the same body; only signature and attempt number differ.
      [names.signature]: signWebhook({ body, idempotencyKey: delivery.idempotencyKey, at: startedAt }, key, issuer),
      [names.token]: delivery.deliveryId,
      [names.attempt]: String(delivery.attempt),
      'content-type': 'application/json; charset=utf-8',
      'user-agent': userAgent,
    };
    const begun = performance.now();
    let answeredAfter: number | undefined;
    const target = new URL(delivery.url);
    const result = await withinLimits(stop, () => connections.to(target), { path: target.pathname + target.search, headers, body }, () => (answeredAfter = performance.now() - begun));
    if ('failure' in result && result.failure === STOPPED) throw new AttemptInterrupted();
    return { startedAt, durationMs: Math.round(answeredAfter ?? performance.now() - begun), ...told(result) };
  }

  /** Ends after the time-out, or when the process stops. A name look-up cannot be cancelled; it is no longer waited for. */
  async function withinLimits(stop: AbortSignal, connect: () => Promise<Dispatcher>, request: PostRequest, onHead: () => void): Promise<PostResult> {
    return new Promise((resolve) => {
      let ended = false;
      const onResult = (result: PostResult): void => {
        ended = true;
        clearTimeout(timer);
        stop.removeEventListener('abort', stopped);
        resolve(result);
      };
      let end = (failure: unknown): void => onResult({ failure });
      const stopped = (): void => end(STOPPED);
      const timer = setTimeout(() => end(TIMED_OUT), timeoutMs);
      stop.addEventListener('abort', stopped, { once: true });
      if (stop.aborted) return stopped();
      connect().then((connection) => {
        if (!ended) end = postOnce(connection, request, { onHead, onResult });
      }).catch((failure: unknown) => {
        if (!ended) onResult({ failure });
      });
    });
  }

  function told(result: PostResult): AttemptOutcome & Pick<Answer, 'responseExcerpt'> {
    if ('failure' in result) {
      return { httpStatus: null, error: result.failure === TIMED_OUT ? 'timeout' : classifyFailure(result.failure), retryAfterSeconds: null, responseExcerpt: null };
    }
    const { statusCode, retryAfter, excerpt } = result;
    return {
      httpStatus: statusCode,
      error: statusCode >= 200 && statusCode < 300 ? null : 'http_status',
      retryAfterSeconds: parseRetryAfter(retryAfter, clock()),
      responseExcerpt: excerpt,
    };
  }

  return { send };
}
