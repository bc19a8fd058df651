import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOSTED_APP } from './two-origins.js';

export interface StandInService {
  baseUrl: string;
  /** Bodies of `POST /link-session`, in order. */
  sessions: Record<string, unknown>[];
  /** Bodies of `POST /link-session/exchange-token`, in order. */
  exchanges: Record<string, unknown>[];
  stop(): Promise<void>;
}

const LINK_ID = 'mk_rEhksmcWQTnydVaHJ7FT6N';

/** The part of the service that an app's back end needs, with one link. */
export async function startStandInService(): Promise<StandInService> {
  const sessions: Record<string, unknown>[] = [];
  const exchanges: Record<string, unknown>[] = [];
  let state = 'connected';
  // Behaves like a service that ignores `expected_customer_user_id`: the token is exchanged anyway.
  const exchangeFor = (customerUser: unknown) =>
    [201, { link_id: LINK_ID, customer_user: customerUser }] as [number, unknown];
  const link = () => ({
    link_id: LINK_ID,
    institution_name: 'Instant Bank',
    state,
    error_code: state === 'error' ? 'auth_expired' : null,
  });
  const responses: Record<
    string,
    (body: Record<string, unknown>) => [status: number, body: unknown]
  > = {
    'GET /auth/introspect': () => [200, { app: { app_id: 'pocket-ledger' } }],
    'GET /institutions': () => [
      200,
      { institutions: [{ country: 'US' }], cursors: { next: null } },
    ],
    'POST /link-session': (body) => {
      sessions.push(body);
      if (body['existing_link_id'] === LINK_ID) state = 'connected';
      return [201, { link_session_token: `sandbox_ls_${sessions.length}` }];
    },
    'POST /link-session/exchange-token': (body) => {
      exchanges.push(body);
      if (body['exchangeable_token'] === 'sandbox_xt_1')
        return exchangeFor(sessions.at(-1)?.['customer_user']);
      if (body['exchangeable_token'] === 'sandbox_xt_of_stranger')
        return exchangeFor({ id: 'stranger' });
      return body['exchangeable_token'] === 'sandbox_xt_refused' ? [403, {}] : [400, {}];
    },
    'POST /users/:id/simplefin-tokens': () => [
      200,
      { token_id: 'sft_1', setup_token: 'c2V0dXAgdG9rZW4=' },
    ],
    [`GET /links/${LINK_ID}`]: () => [200, link()],
    [`POST /links/${LINK_ID}/reset`]: () => {
      state = 'error';
      return [200, link()];
    },
    [`DELETE /links/${LINK_ID}`]: () => [204, undefined],
    [`GET /links/${LINK_ID}/accounts`]: () => [
      200,
      {
        accounts: [
          {
            account_id: 'acc_1',
            name: 'Everyday Checking',
            account_mask: '1101',
            balances: { currency: 'USD', current: 1250.4 },
          },
        ],
      },
    ],
    [`GET /links/${LINK_ID}/transactions`]: () => [
      200,
      {
        transactions: [
          {
            transaction_id: 'txn_1',
            description: 'Corner shop',
            type: 'debit',
            amount: 12.5,
            currency: 'USD',
            date: '2026-03-01T00:00:00.000',
          },
        ],
      },
    ],
  };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { pathname } = new URL(request.url ?? '/', 'http://service.test');
      if (pathname.startsWith('/connect/'))
        return response.writeHead(200, { 'content-type': 'text/html' }).end(HOSTED_APP);
      const send = ([status, answer]: [number, unknown]) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(answer === undefined ? '' : JSON.stringify(answer));
      if (pathname === '/auth/token')
        return send(
          new URLSearchParams(body).get('client_secret') === 'secret'
            ? [201, { access_token: 'access', token_type: 'bearer', expires_in: 3600 }]
            : [401, {}],
        );
      if (request.headers.authorization !== 'Bearer access') return send([401, {}]);
      const route = pathname.replace(/^\/users\/[^/]+/, '/users/:id');
      const answer = responses[`${request.method} ${route}`];
      return send(
        answer === undefined
          ? [404, { error_message: 'no such call' }]
          : answer(body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, () => resolve());
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    exchanges,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
