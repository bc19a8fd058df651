import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import {
  ConfigurationError,
  Tributary,
  WebhookVerificationError,
  type ReceivedEvent,
} from '../../../clients/node/src/index.js';
import {
  PUBLISHED,
  signedAt,
  VECTOR_BODY,
  VECTOR_ISSUER,
  VECTOR_KEY_ID,
} from '../../support/receivers/webhook-forgeries.js';

let fetched: number;
let tributary: Tributary;
let events: ReceivedEvent[];
let errors: unknown[];
const servers: Server[] = [];
const onError = (error: unknown) => errors.push(error);
const onEvent = (event: ReceivedEvent) => events.push(event);

beforeEach(() => {
  [fetched, events, errors] = [0, [], []];
  tributary = new Tributary({
    baseUrl: VECTOR_ISSUER,
    fetch: () => {
      fetched += 1;
      return Promise.resolve(Response.json(PUBLISHED));
    },
  });
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const genuine = () => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'service-signature': signedAt(new Date()) },
  body: new Uint8Array(VECTOR_BODY),
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

const post = async (url: string, request: RequestInit) => (await fetch(url, request)).status;

describe('The webhook handler for node:http', () => {
  it('accepts an event, and refuses what is not one with 400', async () => {
    const url = await serve((request, response) => {
      void tributary.webhooks.nodeHandler(onEvent, { onError })(request, response);
    });
    expect(await post(url, genuine())).toBe(204);
    expect(events).toMatchObject([{ webhook_idempotency_key: VECTOR_KEY_ID }]);
    expect(await post(url, { ...genuine(), body: '{}' })).toBe(400);
    expect(await post(url, { ...genuine(), body: 'x'.repeat(300_000) })).toBe(400);
    expect(await post(url, { method: 'POST' })).toBe(400);
    expect(errors.map((error) => (error as WebhookVerificationError).code)).toEqual([
      'wrong_body',
      'malformed_body',
      'no_signature',
    ]);
    expect(events).toHaveLength(1);
  });

  it('responds with 500 when the app fails, so that the event is sent again', async () => {
    const url = await serve((request, response) => {
      const handler = tributary.webhooks.nodeHandler(() => Promise.reject(new Error('no disk')), {
        onError,
      });
      void handler(request, response);
    });
    expect(await post(url, genuine())).toBe(500);
    expect(errors).toEqual([new Error('no disk')]);
  });
});

describe('The webhook handler in Express', () => {
  it('accepts an event, alone and behind express.raw()', async () => {
    const app = express();
    app.post('/hooks', tributary.webhooks.nodeHandler(onEvent));
    expect(await post(await serve(app), genuine())).toBe(204);
    const raw = express();
    raw.post('/hooks', express.raw({ type: '*/*' }), tributary.webhooks.nodeHandler(onEvent));
    expect(await post(await serve(raw), genuine())).toBe(204);
    expect(events).toHaveLength(2);
  });

  it('says so when a parser has consumed the raw body', async () => {
    const app = express();
    app.use(express.json());
    app.post('/hooks', tributary.webhooks.nodeHandler(onEvent, { onError }));
    expect(await post(await serve(app), genuine())).toBe(500);
    expect(errors).toEqual([expect.any(ConfigurationError)]);
  });
});

describe('The webhook handler for Request', () => {
  it('accepts an event, and refuses what is not one with 400', async () => {
    const handle = tributary.webhooks.fetchHandler(onEvent, { onError });
    const url = 'https://app.example/hooks';
    expect((await handle(new Request(url, genuine()))).status).toBe(204);
    expect((await handle(new Request(url, { ...genuine(), body: '{}' }))).status).toBe(400);
    expect((await handle(new Request(url, { method: 'POST' }))).status).toBe(400);
    expect(events).toHaveLength(1);
  });
});

describe('The keys of webhooks', () => {
  it('are kept for an hour, and fetched for an unknown one at most once in five minutes', async () => {
    const start = Date.now();
    const clock = jest.spyOn(Date, 'now');
    const known = signedAt(new Date(start));
    const [, ...rest] = known.split('.');
    const header = Buffer.from('{"alg":"ES256","kid":"unknown"}').toString('base64url');
    const unknown = [header, ...rest].join('.');
    const ask = async (atSeconds: number, signature: string) => {
      clock.mockReturnValue(start + atSeconds * 1_000);
      const receivedAt = new Date(start);
      await tributary.webhooks
        .verify(VECTOR_BODY, { 'service-signature': signature }, { receivedAt })
        .catch(() => undefined);
      return fetched;
    };
    expect(await ask(0, known)).toBe(1);
    expect(await ask(1, unknown)).toBe(2);
    expect(await ask(300, unknown)).toBe(2);
    expect(await ask(301, unknown)).toBe(3);
    // An hour after the last fetch.
    expect(await ask(3_900, known)).toBe(3);
    expect(await ask(3_901, known)).toBe(4);
  });

  it('are fetched once for receivers of events that arrive together', async () => {
    const signature = signedAt(new Date());
    const verify = () =>
      tributary.webhooks.verify(VECTOR_BODY, new Headers({ 'service-signature': signature }));
    await Promise.all([verify(), verify(), verify()]);
    expect(fetched).toBe(1);
  });
});
