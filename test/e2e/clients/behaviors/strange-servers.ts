import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from '../../../support/services/http-gate.js';
import type { Stage } from '../support/stage.js';
import type { Behavior } from './behavior.js';

const TOKEN = 'POST /auth/token';
const LIST = 'GET /links';
const SESSION = 'POST /link-session';
const WORLD = 'POST /sandbox/worlds';
const JSON_TYPE = { 'content-type': 'application/json' };

const list = ['links.list', { query: { limit: 1 }, read: 'page' }] as const;
const session = ['linkSessions.create', { body: { customer_user: { id: 'user-1' } } }] as const;
const world = ['sandbox.createWorld', { body: {} }] as const;

/** The error of a call whose requests all meet the same fault, and their number. */
async function failureOf(
  { driver, gate }: Stage,
  client: string,
  route: string,
  [call, args]: readonly [string, object],
  fault: Fault,
): Promise<object> {
  gate.plan(route, fault, fault, fault, fault);
  const error = await driver.refusal(call, args, client);
  return { ...error, requests: gate.of(route).length };
}

/** A client that has its token. */
async function prepared(stage: Stage, options: object = {}): Promise<string> {
  const client = await stage.client(options);
  await stage.driver.result('tokens.introspect', {}, client);
  return client;
}

const respond = (status: number, body: string, headers: Record<string, string> = JSON_TYPE) => ({
  respond: status,
  headers,
  body,
});

/** Responses that are not of this API, and would come again. */
const NOT_OF_THIS_API: readonly Fault[] = [
  respond(200, '<h1>Hello</h1>', { 'content-type': 'text/html' }),
  respond(200, '{"links":['),
  respond(200, ''),
  respond(204, ''),
  respond(200, '[]'),
  respond(200, '"text"'),
  respond(200, 'null'),
  respond(200, '{}'),
  respond(200, '{"links":null,"next_cursor":""}'),
  respond(200, '['.repeat(200_000)),
  ...[300, 301, 302, 303, 304, 307, 308].map((status) => respond(status, '')),
];

async function keepsToken(stage: Stage): Promise<void> {
  const { driver, gate } = stage;
  const elsewhere: string[] = [];
  const other = createServer((request, response) => {
    elsewhere.push(`${request.method} ${request.url}`);
    response.end('{}');
  });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    const client = await prepared(stage);
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/links`;
    for (const status of [301, 302, 303, 307, 308])
      for (const [route, [call, args]] of [
        [LIST, list],
        [SESSION, session],
        [WORLD, world],
      ] as const) {
        gate.plan(route, { respond: status, headers: { location } });
        expect({ status, route, ...(await driver.refusal(call, args, client)) }).toMatchObject({
          ...{ status, route, family: 'UnexpectedResponseError' },
        });
        expect(gate.of(route)).toHaveLength(1);
      }
    const fresh = await stage.client();
    gate.plan(TOKEN, { respond: 307, headers: { location } });
    expect(await driver.refusal(...list, fresh)).toMatchObject({
      family: 'UnexpectedResponseError',
    });
    expect(elsewhere).toEqual([]);
  } finally {
    other.close();
  }
}

export const STRANGE_SERVER_BEHAVIORS: readonly Behavior[] = [
  ['sends neither its token nor its key pair to another host', keepsToken],
  [
    'reports a response that is not of this API as unexpected, and does not repeat the call',
    async (stage) => {
      const client = await prepared(stage);
      for (const fault of NOT_OF_THIS_API)
        expect({ fault, ...(await failureOf(stage, client, LIST, list, fault)) }).toMatchObject({
          ...{ fault, family: 'UnexpectedResponseError', code: 'unexpected_response' },
          requests: 1,
        });
      for (const fault of [respond(204, ''), respond(200, '[]'), respond(302, '')])
        expect({
          fault,
          ...(await failureOf(stage, client, SESSION, session, fault)),
        }).toMatchObject({ fault, family: 'UnexpectedResponseError', requests: 1 });
    },
  ],
  [
    'reports 408, 421 and 425 as a failure of the connection, and repeats what is safe',
    async (stage) => {
      const client = await prepared(stage, { max_retries: 1 });
      const failure = { family: 'ServiceConnectionError', code: 'connection_failed' };
      for (const status of [408, 421, 425]) {
        const fault = respond(status, '');
        // The fetch standard repeats what got a 421 by itself, over a new connection.
        const times = (requests: number): unknown =>
          status === 421 ? expect.any(Number) : requests;
        expect(await failureOf(stage, client, LIST, list, fault)).toMatchObject({
          ...failure,
          requests: times(2),
        });
        expect(await failureOf(stage, client, SESSION, session, fault)).toMatchObject({
          ...failure,
          requests: times(2),
        });
        expect(await failureOf(stage, client, WORLD, world, fault)).toMatchObject({
          ...failure,
          requests: times(1),
        });
        stage.gate.plan(LIST, fault);
        await stage.driver.result(...list, client);
      }
    },
  ],
  [
    'ends a call whose headers, or whose body, arrive a byte at a time',
    async (stage) => {
      const client = await prepared(stage);
      const options = { timeout_ms: 400, max_retries: 0 };
      for (const part of ['headers', 'body'] as const) {
        const call = ['links.list', { ...list[1], options }] as const;
        expect({
          part,
          ...(await failureOf(stage, client, LIST, call, { trickle: part })),
        }).toMatchObject({ part, family: 'ServiceConnectionError', code: 'timeout', requests: 1 });
      }
    },
  ],
  [
    'ends an export whose stream is silent or broken with an error of its own',
    async (stage) => {
      const client = await prepared(stage);
      const linkId = await stage.link();
      const route = `GET /links/${linkId}/export`;
      const read = async (fault: Fault, options: object) => {
        stage.gate.plan(route, fault);
        return stage.driver.refusal('links.exportText', { link_id: linkId, options }, client);
      };
      const text = await stage.driver.result<string>(
        'links.exportText',
        { link_id: linkId },
        client,
      );
      expect(text.trim().split('\n').length).toBeGreaterThan(60);
      expect(await read('silence_response', { timeout_ms: 1_000 })).toMatchObject({
        family: 'ServiceConnectionError',
        code: 'timeout',
      });
      expect(await read('cut_response', {})).toMatchObject({
        family: 'ServiceConnectionError',
        code: 'connection_failed',
      });
      expect(stage.gate.of(route)).toHaveLength(1);
    },
  ],
  [
    'requests no new token for a refused scope, and names the scope',
    async (stage) => {
      const client = await prepared(stage);
      stage.gate.reset();
      const body = { error_code: 'api_error.auth.unauthorized', error_message: 'Refused.' };
      const headers = {
        ...JSON_TYPE,
        'www-authenticate': 'Bearer error="insufficient_scope", scope="numbers:read"',
      };
      const refusal = respond(401, JSON.stringify(body), headers);
      stage.gate.plan(LIST, refusal, refusal, refusal);
      for (let call = 1; call <= 3; call += 1)
        expect(await stage.driver.refusal(...list, client)).toMatchObject({
          ...{ family: 'AuthenticationError', status: 401, required_scope: 'numbers:read' },
        });
      expect([stage.gate.of(LIST).length, stage.gate.of(TOKEN).length]).toEqual([3, 0]);
    },
  ],
  [
    'requests no new token for the 401 of a proxy',
    async (stage) => {
      const client = await prepared(stage);
      stage.gate.plan(LIST, respond(401, 'Who are you?', { 'content-type': 'text/plain' }));
      expect(await stage.driver.refusal(...list, client)).toMatchObject({
        ...{ family: 'AuthenticationError', status: 401, code: 'http_error' },
      });
      expect([stage.gate.of(LIST).length, stage.gate.of(TOKEN).length]).toEqual([1, 0]);
    },
  ],
  [
    'requests one token for a thousand calls',
    async (stage) => {
      const client = await stage.client();
      const body = await stage.driver.result<object>(
        'tokens.introspect',
        {},
        await prepared(stage),
      );
      const call = 'GET /auth/introspect';
      const fault = respond(200, JSON.stringify(body));
      stage.gate.plan(call, ...Array.from({ length: 1_000 }, () => fault));
      const calls = Array.from({ length: 1_000 }, () =>
        stage.driver.call('tokens.introspect', {}, client),
      );
      for (const { error } of await Promise.all(calls)) expect(error).toBeUndefined();
      expect([stage.gate.of(call).length, stage.gate.of(TOKEN).length]).toEqual([1_000, 1]);
    },
  ],
  [
    'keeps the limits of one call while it waits for a token',
    async (stage) => {
      const limited = (options: object) => ['links.list', { ...list[1], options }] as const;
      const hurried = limited({ timeout_ms: 400, max_retries: 0 });
      // Of the client, and so of the request that its callers share.
      const client = await stage.client({ timeout_ms: 2_000 });
      stage.gate.plan(TOKEN, 'hang');
      expect(await stage.driver.refusal(...hurried, client)).toMatchObject({
        family: 'ServiceConnectionError',
        code: 'timeout',
      });
      expect(stage.gate.of(LIST)).toEqual([]);
      const once = limited({ max_retries: 0 });
      const down = respond(503, '', { 'retry-after': '0' });
      expect(await failureOf(stage, await stage.client(), TOKEN, once, down)).toMatchObject({
        family: 'ServiceUnavailableError',
        requests: 1,
      });
    },
  ],
];
