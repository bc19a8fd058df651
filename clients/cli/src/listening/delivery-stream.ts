import { setTimeout as pause } from 'node:timers/promises';
import {
  ApiError,
  AuthenticationError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServiceConnectionError,
  UnexpectedResponseError,
  type CreateWebhookListenerRequest,
  type ListenedDelivery,
  type Tributary,
} from '@tributary/node';
import type { Outcome } from './outcome.js';

type Calls = Tributary['webhooks'];
type ListenerCall = Extract<
  keyof Calls,
  'createListener' | 'listListenerDeliveries' | 'reportListenerDelivery'
>;
/** Of their results alone, without the responses. */
type ListenerCalls = {
  [Name in ListenerCall]: (
    ...args: Parameters<Calls[Name]>
  ) => Promise<Awaited<ReturnType<Calls[Name]>>>;
};

export interface StreamOptions {
  filter: CreateWebhookListenerRequest;
  stop: AbortSignal;
  /** The service does not respond; calls are repeated. */
  onLost: () => void;
  onFound: () => void;
}

/** webhooks 13: the longest wait, and more than it for the whole call. */
const WAIT_SECONDS = 25;
const CALL_TIMEOUT_MS = 40_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
const REPORT_RETRIES = 8;
/** Ids of events that a new listener might deliver a second time. */
const REMEMBERED = 20_000;
/** More than the clocks of two processes of the service differ. */
const CLOCKS_DIFFER_MS = 60_000;

/**
 * The deliveries of a listener, each once while this program runs: over lost connections and
 * restarts of the service, and over the end of the listener itself, which a new one follows.
 */
export class DeliveryStream {
  private listenerId = '';
  private after = '';
  private newest: { createdAt: string } | undefined;
  /** The last delivery, and the position before it. */
  private last: { listenerId: string; before: string } | undefined;
  private readonly seen = new Set<string>();
  private readonly closed = new AbortController();

  constructor(
    private readonly calls: ListenerCalls,
    private readonly options: StreamOptions,
  ) {}

  /** @throws ApiError when the service refuses to listen */
  async start(): Promise<void> {
    await this.listen(this.options.filter);
  }

  /** Ends when `stop` aborts. @throws ApiError for a refusal that repeating does not mend */
  async *deliveries(): AsyncGenerator<ListenedDelivery, void, undefined> {
    const { stop } = this.options;
    while (!stop.aborted) {
      const page = await this.persistently(() =>
        this.calls.listListenerDeliveries(
          this.listenerId,
          { after: this.after, wait: WAIT_SECONDS },
          { signal: stop, timeout: CALL_TIMEOUT_MS, maxRetries: 0 },
        ),
      );
      if (page === undefined) return;
      for (const delivery of page.deliveries) {
        if (stop.aborted) return;
        this.last = { listenerId: this.listenerId, before: this.after };
        this.after = delivery.cursor;
        this.newest = { createdAt: delivery.created_at };
        if (this.isNew(delivery.event_id)) yield delivery;
      }
      this.after = page.cursor.next;
    }
  }

  /** The last delivery once more, signed again; null when there is none. */
  async lastAgain(): Promise<ListenedDelivery | null> {
    const { last } = this;
    if (last === undefined || last.listenerId !== this.listenerId) return null;
    const { deliveries } = await this.calls.listListenerDeliveries(last.listenerId, {
      after: last.before,
      limit: 1,
    });
    return deliveries[0] ?? null;
  }

  /** Reports an outcome. The log loses a report that the service does not accept in time. */
  async report(delivery: ListenedDelivery, outcome: Outcome): Promise<void> {
    const { delivery_token: token, event_id, attempt } = delivery;
    await this.calls
      .reportListenerDelivery(
        this.listenerId,
        token,
        { event_id, attempt, ...outcome },
        { maxRetries: REPORT_RETRIES, signal: this.closed.signal },
      )
      .catch((error: unknown) => {
        if (this.closed.signal.aborted) return;
        if (!(error instanceof ApiError || isOfNetwork(error))) throw error;
      });
  }

  /** Ends reports that are still on their way. */
  close(): void {
    this.closed.abort();
  }

  private async listen(filter: CreateWebhookListenerRequest): Promise<void> {
    const { listener_id: id, created_at: createdAt } = await this.calls.createListener(filter);
    this.listenerId = id;
    this.after = '';
    this.newest ??= { createdAt };
  }

  /** A listener that ended is followed by one that starts before the newest event of this run. */
  private async listenAgain(): Promise<void> {
    const reached = Date.parse(`${this.newest?.createdAt ?? ''}Z`);
    const { since } = this.options.filter;
    const from = Math.max(
      reached - CLOCKS_DIFFER_MS,
      since === undefined || since === null ? 0 : Date.parse(since),
    );
    await this.listen({ ...this.options.filter, since: new Date(from).toISOString() });
  }

  /** Repeats a call until it succeeds; undefined after `stop`. */
  private async persistently<T>(call: () => Promise<T>): Promise<T | undefined> {
    const { stop, onLost, onFound } = this.options;
    for (let tries = 0; !stop.aborted; tries += 1) {
      try {
        const result = await this.overExpiredTokens(call);
        if (tries > 1) onFound();
        return result;
      } catch (error) {
        if (stop.aborted) return undefined;
        if (isRefusal(error)) throw error;
        if (tries === 1) onLost();
        if (error instanceof NotFoundError)
          await this.listenAgain().catch((again: unknown) => {
            if (isRefusal(again)) throw again;
          });
        else await this.pauseBefore(tries, error);
      }
    }
    return undefined;
  }

  /** A call that waits may outlive its token more than once; the client repeats it once with a new one. */
  private async overExpiredTokens<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!isExpiredToken(error)) throw error;
        await this.pauseBefore(0, error);
      }
    }
  }

  private async pauseBefore(tries: number, error: unknown): Promise<void> {
    const asked = error instanceof RateLimitError ? (error.retryAfter ?? 0) * 1_000 : 0;
    const ms = Math.max(asked, Math.min(FIRST_PAUSE_MS * 2 ** tries, MAX_PAUSE_MS));
    await pause(ms, undefined, { signal: this.options.stop }).catch(() => undefined);
  }

  private isNew(eventId: string): boolean {
    if (this.seen.has(eventId)) return false;
    this.seen.add(eventId);
    if (this.seen.size > REMEMBERED) {
      const [oldest] = this.seen;
      if (oldest !== undefined) this.seen.delete(oldest);
    }
    return true;
  }
}

const isExpiredToken = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'api_error.auth.expired_access_token';

/** Also the page of a proxy, while the service starts again. */
const isOfNetwork = (error: unknown): boolean =>
  error instanceof ServiceConnectionError || error instanceof UnexpectedResponseError;

/** The service answers, and will answer the same again. */
function isRefusal(error: unknown): boolean {
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) return true;
  if (isOfNetwork(error) || error instanceof NotFoundError) return false;
  return !(error instanceof ApiError && (error.status === 429 || error.status >= 500));
}
