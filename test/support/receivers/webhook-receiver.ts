import { createHash, timingSafeEqual } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { expectDescribedWebhook } from '../assertions/described-responses.js';

/** Milliseconds after which waiting for requests is hopeless: before a test has no time left to report them. */
const UNTIL_MS = 100_000;

/** A verified body; every event has these fields. */
export interface WebhookBody extends Record<string, unknown> {
  webhook_event: string;
  webhook_idempotency_key: string;
  webhook_timestamp: string;
  link_id: string;
}

export type VerifyWebhook = (
  rawBody: Buffer,
  signature: string,
  now?: Date,
) => Promise<WebhookBody>;

/** The code that a customer runs, from docs/contract/webhooks.md 6. */
export function createVerifier(
  baseUrl: string,
  keys: JWTVerifyGetKey = publishedKeys(baseUrl),
): VerifyWebhook {
  return async (rawBody, signature, now) => {
    const { payload } = await jwtVerify(signature, keys, {
      algorithms: ['ES256'],
      issuer: baseUrl,
      maxTokenAge: '4 min',
      clockTolerance: '1 min',
      currentDate: now,
    });
    const sent = Buffer.from(String(payload['request_body_sha256']), 'hex');
    const real = createHash('sha256').update(rawBody).digest();
    if (sent.length !== real.length || !timingSafeEqual(sent, real))
      throw new Error('body does not match signature');
    const event = JSON.parse(rawBody.toString('utf8')) as WebhookBody;
    if (event.webhook_idempotency_key !== payload.jti)
      throw new Error('key does not match signature');
    return event;
  };
}

export function publishedKeys(baseUrl: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`), {
    cooldownDuration: 300_000,
    cacheMaxAge: 3_600_000,
  });
}

export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  /** All header names and values as received, with names in lower case. */
  signatures: string[];
  rawBody: Buffer;
  /** The JSON of the body, verified or not. */
  body: WebhookBody;
  receivedAt: Date;
  /** The reason why the customer's code rejected it; null means verified. */
  refused: Error | null;
}

/** The receiver's response to a request. */
export type ReceiverResponse =
  | { status: number; headers?: Record<string, string>; body?: string | Buffer }
  /** Accepts the request and never responds. */
  | 'hang'
  /** Sends the headers of a 200 and never ends the body. */
  | 'hang_in_body'
  /** Closes the connection without a response. */
  | 'close';

export interface ReceiverOptions {
  /**
   * The base address of the service, or the verification. Requests that do not verify receive 400,
   * as in the contract.
   */
  verify?: string | VerifyWebhook;
  headerPrefix?: string;
  port?: number;
  tls?: { key: string; cert: string };
}

/** A webhook receiver as a customer runs it: it verifies, records, and responds as configured. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** The current number of open requests, and the maximum so far. */
  open = 0;
  maxOpen = 0;
  private script: (request: ReceivedWebhook, index: number) => ReceiverResponse = () => ({
    status: 204,
  });
  private readonly watchers = new Set<() => void>();
  private readonly held = new Set<ServerResponse>();

  private listeningAt = 0;
  private closeServer: () => Promise<void> = () => Promise.resolve();

  private constructor(private readonly scheme: 'http' | 'https') {}

  static async start({
    verify,
    headerPrefix = 'service',
    port = 0,
    tls,
  }: ReceiverOptions = {}): Promise<WebhookReceiver> {
    const verifier = typeof verify === 'string' ? createVerifier(verify) : verify;
    const receiver = new WebhookReceiver(tls === undefined ? 'http' : 'https');
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      receiver
        .take(request, response, headerPrefix, verifier, typeof verify === 'string')
        .catch(() => response.destroy());
    };
    const server =
      tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    receiver.listeningAt = (server.address() as AddressInfo).port;
    receiver.closeServer = () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return receiver;
  }

  get port(): number {
    return this.listeningAt;
  }

  /** An address of this receiver. */
  url(path = '/hooks', host = '127.0.0.1'): string {
    return `${this.scheme}://${host}:${this.port}${path}`;
  }

  get verified(): WebhookBody[] {
    return this.received.filter(({ refused }) => refused === null).map(({ body }) => body);
  }

  /** Sets the response from now on; `index` counts all requests from 0. */
  respondWith(
    script: ReceiverResponse | ((request: ReceivedWebhook, index: number) => ReceiverResponse),
  ): void {
    this.script = typeof script === 'function' ? script : () => script;
  }

  /** Ends every hanging request. */
  releaseHeld(): void {
    for (const response of this.held) response.destroy();
    this.held.clear();
  }

  /** Waits until this many requests, or matching ones, have arrived. */
  async until(
    condition: number | ((received: readonly ReceivedWebhook[]) => boolean),
  ): Promise<readonly ReceivedWebhook[]> {
    const met = (): boolean =>
      typeof condition === 'number' ? this.received.length >= condition : condition(this.received);
    if (met()) return this.received;
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.watchers.delete(watch);
      };
      const watch = (): void => {
        if (!met()) return;
        finish();
        resolve(this.received);
      };
      const timer = setTimeout(() => {
        finish();
        reject(
          new Error(
            `the receiver waited ${UNTIL_MS} ms and got ${this.received.length} requests: ${this.received.map(({ body }) => body.webhook_event).join(', ')}`,
          ),
        );
      }, UNTIL_MS);
      this.watchers.add(watch);
    });
  }

  async stop(): Promise<void> {
    this.releaseHeld();
    await this.closeServer();
  }

  private async take(
    request: IncomingMessage,
    response: ServerResponse,
    headerPrefix: string,
    verify: VerifyWebhook | undefined,
    isDescribed: boolean,
  ): Promise<void> {
    this.open += 1;
    this.maxOpen = Math.max(this.maxOpen, this.open);
    response.once('close', () => (this.open -= 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const rawBody = Buffer.concat(chunks);
    const signatures = headersNamed(request, `${headerPrefix}-signature`);
    const refused =
      verify === undefined
        ? null
        : await verify(rawBody, signatures.join(', '))
            .then((body) => {
              if (isDescribed) expectDescribedWebhook(body.webhook_event, body);
              return null;
            })
            .catch((error: unknown) => error as Error);
    const received: ReceivedWebhook = {
      path: request.url ?? '',
      headers: request.headers,
      signatures,
      rawBody,
      body: JSON.parse(rawBody.toString('utf8')) as WebhookBody,
      receivedAt: new Date(),
      refused,
    };
    this.received.push(received);
    const answer =
      refused === null
        ? this.script(received, this.received.length - 1)
        : { status: 400, body: refused.message };
    this.give(answer, response);
    this.watchers.forEach((watch) => watch());
  }

  private give(answer: ReceiverResponse, response: ServerResponse): void {
    if (answer === 'hang') {
      this.held.add(response);
    } else if (answer === 'hang_in_body') {
      this.held.add(response);
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('thinking');
    } else if (answer === 'close') {
      response.destroy();
    } else {
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body);
    }
  }
}

function headersNamed(request: IncomingMessage, name: string): string[] {
  const found: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === name)
      found.push(request.rawHeaders[index + 1] ?? '');
  }
  return found;
}
