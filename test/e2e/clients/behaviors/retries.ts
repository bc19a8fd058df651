import { randomUUID } from 'node:crypto';
import type { ClientError } from '../support/client-driver.js';
import type { Stage } from '../support/stage.js';
import type { Behavior } from './behavior.js';

const LIST = 'GET /links';
const SESSION = 'POST /link-session';
const WORLD = 'POST /sandbox/worlds';
const AT_ONCE = { 'retry-after': '0' };

const list = { query: { limit: 1 }, read: 'page' };
const session = (userId: string) => ({ body: { customer_user: { id: userId } } });

const worlds = async ({ driver }: Stage, client: string, name: string) => {
  const { worlds: all } = await driver.result<{ worlds: { name: string }[] }>(
    'sandbox.listWorlds',
    {},
    client,
  );
  return all.filter((world) => world.name === name).length;
};

/** The error of a call after one fault, and the number of requests it took. */
async function failure(
  stage: Stage,
  [call, route, args]: readonly [string, string, object],
  fault: Parameters<Stage['gate']['plan']>[1],
  options: object = {},
): Promise<ClientError & { requests: number }> {
  const client = await stage.client(options);
  stage.gate.plan(route, fault);
  const error = await stage.driver.refusal(call, args, client);
  return { ...error, requests: stage.gate.of(route).length };
}

export const RETRY_BEHAVIORS: readonly Behavior[] = [
  [
    'waits as long as a 429 asks for, and then repeats the call',
    async (stage) => {
      const client = await stage.client();
      stage.gate.plan(LIST, { respond: 429, headers: { 'retry-after': '1' } });
      await stage.driver.result('links.list', list, client);
      const [first, second, ...more] = stage.gate.of(LIST);
      expect(more).toEqual([]);
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(950);
    },
  ],
  [
    'reports a 429 that asks for a long wait at once, with its time',
    async (stage) => {
      const client = await stage.client();
      const { world_id: world } = await stage.driver.result<{ world_id: string }>(
        'sandbox.createWorld',
        { body: { enforce_refresh_limits: true } },
        client,
      );
      const { link_id: linkId } = await stage.driver.result<{ link_id: string }>(
        'sandbox.createLink',
        { body: { world_id: world } },
        client,
      );
      const refresh = { path: [linkId], body: { products: ['accounts'] } };
      await stage.driver.result('links.refreshProducts', refresh, client);
      stage.gate.reset();
      const error = await stage.driver.refusal('links.refreshProducts', refresh, client);
      expect(error).toMatchObject({
        family: 'RateLimitError',
        code: 'api_error.rate_limit_exceeded',
        status: 429,
      });
      expect(error.retry_after).toBeGreaterThan(3_000);
      expect(stage.gate.requests).toHaveLength(1);
    },
  ],
  [
    'repeats after a 429 also what has no key, since it had no effect',
    async (stage) => {
      const client = await stage.client();
      stage.gate.plan(WORLD, { respond: 429, headers: AT_ONCE });
      await stage.driver.result('sandbox.createWorld', { body: { name: 'limited' } }, client);
      expect(stage.gate.of(WORLD)).toHaveLength(2);
    },
  ],
  [
    'repeats a read after a 503, at most as often as it may',
    async (stage) => {
      const down = { respond: 503, headers: AT_ONCE };
      const client = await stage.client({ max_retries: 2 });
      stage.gate.plan(LIST, down, down);
      await stage.driver.result('links.list', list, client);
      expect(stage.gate.of(LIST)).toHaveLength(3);

      stage.gate.plan(LIST, down, down, down, down);
      expect(await stage.driver.refusal('links.list', list, client)).toMatchObject({
        family: 'ServiceUnavailableError',
        status: 503,
        code: 'http_error',
        retry_after: 0,
      });
      expect(stage.gate.of(LIST)).toHaveLength(3);
      stage.gate.reset();
    },
  ],
  [
    'reads the page of a proxy as an error, and a page in the place of a result too',
    async (stage) => {
      const page = { headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' };
      const call = ['links.list', LIST, list] as const;
      const options = { max_retries: 0 };
      expect(await failure(stage, call, { respond: 502, ...page }, options)).toMatchObject({
        family: 'ServiceUnavailableError',
        status: 502,
        code: 'http_error',
      });
      expect(await failure(stage, call, { respond: 200, ...page }, options)).toMatchObject({
        family: 'UnexpectedResponseError',
        code: 'unexpected_response',
      });
    },
  ],
  [
    'repeats a read whose response was lost, or broken off',
    async (stage) => {
      const client = await stage.client();
      stage.gate.plan(LIST, 'lose_response', 'cut_response');
      await stage.driver.result('links.list', list, client);
      expect(stage.gate.of(LIST)).toHaveLength(3);
    },
  ],
  [
    'repeats a POST whose response was lost with the same key, so that it takes effect once',
    async (stage) => {
      const client = await stage.client();
      stage.gate.plan(SESSION, 'lose_response');
      const { session_id: sessionId } = await stage.driver.result<{ session_id: string }>(
        'linkSessions.create',
        session('user-of-a-lost-response'),
        client,
      );
      const keys = stage.gate.of(SESSION).map(({ headers }) => headers['idempotency-key']);
      expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
      const sessions = await stage.driver.result<{ session_id: string }[]>(
        'linkSessions.list',
        { query: { user: 'user-of-a-lost-response' }, read: 'all' },
        client,
      );
      expect(sessions.map((each) => each.session_id)).toEqual([sessionId]);
    },
  ],
  [
    'makes another key for each call, and sends the one of its caller',
    async (stage) => {
      const client = await stage.client();
      stage.gate.reset();
      const create = (options: object = {}, userId = 'user-of-keys') =>
        stage.driver.call('linkSessions.create', { ...session(userId), options }, client);
      const key = { idempotency_key: randomUUID() };
      const [one, other] = [await create(), await create()];
      expect(one.ok).not.toEqual(other.ok);
      // At the same time: one runs, and the other one repeats until it gets the same response.
      const [first, second] = await Promise.all([create(key), create(key)]);
      expect(first.ok).toEqual(second.ok);
      expect(await create(key, 'another-user')).toEqual({
        error: expect.objectContaining({
          family: 'ConflictError',
          status: 422,
          code: 'api_error.idempotency.mismatch',
        }),
      });
      const keys = new Set(stage.gate.of(SESSION).map(({ headers }) => headers['idempotency-key']));
      expect(keys.size).toBe(3);
    },
  ],
  [
    'does not repeat a POST without a key, or a DELETE, whose response was lost',
    async (stage) => {
      const client = await stage.client();
      const body = { name: `lost ${client}` };
      expect(
        await failure(stage, ['sandbox.createWorld', WORLD, { body }], 'lose_response'),
      ).toMatchObject({ family: 'ServiceConnectionError', code: 'connection_failed', requests: 1 });
      expect(await worlds(stage, client, body.name)).toBe(1);

      const linkId = await stage.link();
      expect(
        await failure(
          stage,
          ['links.delete', `DELETE /links/${linkId}`, { path: [linkId] }],
          'lose_response',
        ),
      ).toMatchObject({ family: 'ServiceConnectionError', requests: 1 });
    },
  ],
  [
    'ends an attempt that takes too long',
    async (stage) => {
      // Of the call alone: its token may take longer on a busy computer.
      const args = { ...list, options: { timeout_ms: 400 } };
      expect(
        await failure(stage, ['links.list', LIST, args], 'hang', { max_retries: 0 }),
      ).toMatchObject({ family: 'ServiceConnectionError', code: 'timeout', requests: 1 });
    },
  ],
  [
    'reports a service that is not reachable',
    async (stage) => {
      const client = await stage.client({ base_url: 'http://127.0.0.1:9', max_retries: 0 });
      const error = await stage.driver.refusal('links.list', list, client);
      expect(error).toMatchObject({ family: 'ServiceConnectionError', code: 'connection_failed' });
      expect(error.text).not.toContain(stage.app.sandbox.client_secret);
    },
  ],
];
