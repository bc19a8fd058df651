import type { ClientSettings } from '../client-options.js';
import type {
  CreateWebhookListenerRequest,
  ReplayWebhookEventsRequest,
  ReportListenedDeliveryRequest,
  TestWebhookRequest,
  WebhookEvent,
  WebhookEventInFull,
  WebhookListener,
  WebhooksListEventsData,
  WebhooksListEventsResult,
  WebhooksListListenerDeliveriesData,
  WebhooksListListenerDeliveriesResult,
  WebhooksListKeysResult,
  WebhooksReplayEventResult,
  WebhooksReplayEventsResult,
  WebhooksReportListenerDeliveryResult,
  WebhooksSendTestEventResult,
} from '../generated/types.js';
import { cursorList, type PagedList } from '../paged-list.js';
import type { ApiPromise } from '../requests/api-promise.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';
import type { ReceivedEvent } from '../generated/received-event.js';
import { KeySet } from '../webhooks/key-set.js';
import {
  createFetchHandler,
  createNodeHandler,
  type EventHandler,
  type FetchHandler,
  type HandlerOptions,
  type NodeHandler,
} from '../webhooks/request-handlers.js';
import {
  WebhookVerifier,
  type RawBody,
  type VerifyOptions,
  type WebhookHeaders,
} from '../webhooks/webhook-verifier.js';

export type WebhooksListEventsQuery = NonNullable<WebhooksListEventsData['query']>;

/** Events of your links: receiving, and the log of the service. Source: docs/webhooks.md. */
export class Webhooks {
  readonly #requester: Requester;
  readonly #verifier: WebhookVerifier;

  constructor(requester: Requester, settings: ClientSettings) {
    this.#requester = requester;
    this.#verifier = new WebhookVerifier(
      settings,
      new KeySet(async () => (await this.listKeys()).keys),
    );
  }

  /**
   * Checks that a request is an event of this service, for this app and environment, and unchanged.
   * The signature covers the raw bytes: pass the body as it arrived, before any parser.
   * @returns the event; its key may come again, so remember `webhook_idempotency_key`
   * @throws WebhookVerificationError: respond with 400
   * @throws ServiceConnectionError or ApiError when the keys cannot be read: respond with 500, and it is sent again
   */
  verify(
    rawBody: RawBody,
    headers: WebhookHeaders,
    options?: VerifyOptions,
  ): Promise<ReceivedEvent> {
    return this.#verifier.verify(rawBody, headers, options);
  }

  /** A handler for `node:http`, and for Express before any parser of bodies. */
  nodeHandler(onEvent: EventHandler, options?: HandlerOptions): NodeHandler {
    return createNodeHandler(this.#verifier, onEvent, options);
  }

  /** A handler from `Request` to `Response`, for Hono, Next.js, Bun, Deno and workers. */
  fetchHandler(onEvent: EventHandler, options?: HandlerOptions): FetchHandler {
    return createFetchHandler(this.#verifier, onEvent, options);
  }

  /** Public keys of the service. `verify` reads them by itself. */
  listKeys(options?: CallOptions): ApiPromise<WebhooksListKeysResult> {
    return this.#requester.json(
      { method: 'GET', path: '/.well-known/jwks.json', isPublic: true },
      options,
    );
  }

  /**
   * Events with the status of their delivery. In ascending order the cursor of the last page stays
   * usable: `(await list.page()).body.cursor.next`.
   */
  listEvents(
    query: WebhooksListEventsQuery = {},
    options?: CallOptions,
  ): PagedList<WebhookEvent, WebhooksListEventsResult> {
    return cursorList(
      query,
      (page) =>
        this.#requester.json<WebhooksListEventsResult>(
          { method: 'GET', path: '/webhooks/events', query: page },
          options,
        ),
      ({ events: items, cursor, has_more: hasMore }) => ({
        items,
        next: hasMore ? cursor.next : null,
      }),
    );
  }

  /** An event with each delivery and attempt. */
  getEvent(eventId: string, options?: CallOptions): ApiPromise<WebhookEventInFull> {
    return this.#requester.json(
      { method: 'GET', path: path`/webhooks/events/${eventId}` },
      options,
    );
  }

  /** Sends an event again: same body and key, a new delivery token. */
  replayEvent(eventId: string, options?: CallOptions): ApiPromise<WebhooksReplayEventResult> {
    return this.#requester.json(
      { method: 'POST', path: path`/webhooks/events/${eventId}/replay` },
      options,
    );
  }

  /** Sends the failed events of a time range again. */
  replayEvents(
    body: ReplayWebhookEventsRequest,
    options?: CallOptions,
  ): ApiPromise<WebhooksReplayEventsResult> {
    return this.#requester.json({ method: 'POST', path: '/webhooks/events/replay', body }, options);
  }

  /** Sends an event of a Sandbox link to its address, for trying out a receiver. */
  sendTestEvent(
    linkId: string,
    body: TestWebhookRequest,
    options?: CallOptions,
  ): ApiPromise<WebhooksSendTestEventResult> {
    return this.#requester.json(
      { method: 'POST', path: path`/webhooks/test/link/${linkId}`, body },
      options,
    );
  }

  /** Starts to listen: copies of events for a receiver without an address. It ends a minute after its last call. */
  createListener(
    body: CreateWebhookListenerRequest = {},
    options?: CallOptions,
  ): ApiPromise<WebhookListener> {
    return this.#requester.json({ method: 'POST', path: '/webhooks/listeners', body }, options);
  }

  /**
   * The next events of a listener, as requests to make at the receiver. With `wait`, it responds with
   * the first event; keep `timeout` above it.
   */
  listListenerDeliveries(
    listenerId: string,
    query: WebhooksListListenerDeliveriesData['query'] = {},
    options?: CallOptions,
  ): ApiPromise<WebhooksListListenerDeliveriesResult> {
    return this.#requester.json(
      { method: 'GET', path: path`/webhooks/listeners/${listenerId}/deliveries`, query },
      options,
    );
  }

  /** Reports the response of the receiver to a delivery. */
  reportListenerDelivery(
    listenerId: string,
    deliveryToken: string,
    body: ReportListenedDeliveryRequest,
    options?: CallOptions,
  ): ApiPromise<WebhooksReportListenerDeliveryResult> {
    return this.#requester.json(
      {
        method: 'POST',
        path: path`/webhooks/listeners/${listenerId}/deliveries/${deliveryToken}`,
        body,
      },
      options,
    );
  }
}
