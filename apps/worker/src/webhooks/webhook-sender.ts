import type { Dispatcher } from 'undici';
import { parseRetryAfter, type AttemptOutcome } from '../../../../domain/webhook-attempts.js';
import type { SigningKeys } from '../../../../prisma/repositories/signing-key.repository.js';
import type { DueDelivery } from '../../../../prisma/repositories/webhook-delivery.repository.js';
import { signWebhook } from '../../../platform/src/signing/sign-webhook.js';
import { classifyFailure } from './classify-failure.js';
import type { PinnedConnections } from './pinned-connections.js';
import { readExcerpt } from './read-excerpt.js';

export interface SenderOptions {
  /** BASE_URL without trailing slash. */
  issuer: string;
  headerPrefix: string;
  /** WEBHOOK_TIMEOUT: connect, send, status line and headers together. */
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

export interface SignedAttempt {
  /** @throws AttemptInterrupted when `stop` fires before there is an outcome */
  post(stop: AbortSignal): Promise<Answer>;
}

export interface WebhookSender {
  /** Signs now, with the current key; `post` makes the one request. */
  sign(delivery: DueDelivery): Promise<SignedAttempt>;
}

export function createWebhookSender({ issuer, headerPrefix, timeoutMs, keys, connections, clock }: SenderOptions): WebhookSender {
  async function sign(delivery: DueDelivery): Promise<SignedAttempt> {
    const body = Buffer.from(delivery.body, 'utf8');
    const signature = await signWebhook({ body, idempotencyKey: delivery.idempotencyKey, at: clock() }, await keys.current(), issuer);
    const headers = {
      // webhooks 3: every attempt sends the same body; only signature and attempt number differ.
      [`${headerPrefix}-signature`]: signature,
      [`${headerPrefix}-delivery-token`]: delivery.deliveryId,
      [`${headerPrefix}-delivery-attempt`]: String(delivery.attempt),
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `${headerPrefix}-webhooks/1`,
    };
    return { post: (stop) => post(new URL(delivery.url), headers, body, stop) };
  }

  async function post(target: URL, headers: Record<string, string>, body: Buffer, stop: AbortSignal): Promise<Answer> {
    const startedAt = clock();
    const begun = performance.now();
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([timeout, stop]);
    const finished = (outcome: AttemptOutcome, responseExcerpt: string | null): Answer =>
      ({ ...outcome, startedAt, durationMs: Math.round(performance.now() - begun), responseExcerpt });

    let response: Dispatcher.ResponseData;
    try {
      const connection = await untilAborted(connections.to(target), signal);
      response = await connection.request({ method: 'POST', path: target.pathname + target.search, headers, body, signal });
    } catch (error) {
      if (stop.aborted && !timeout.aborted) throw new AttemptInterrupted();
      return finished({ httpStatus: null, error: timeout.aborted ? 'timeout' : classifyFailure(error), retryAfterSeconds: null }, null);
    }
    const { statusCode } = response;
    const answeredIn = finished(
      {
        httpStatus: statusCode,
        error: statusCode >= 200 && statusCode < 300 ? null : 'http_status',
        retryAfterSeconds: parseRetryAfter(firstOf(response.headers['retry-after']), clock()),
      },
      null,
    );
    // The verdict is known; whatever happens to the rest of the answer no longer matters.
    return { ...answeredIn, responseExcerpt: await readExcerpt(response.body) };
  }

  return { sign };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** A name look-up cannot be cancelled; it is no longer waited for. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
