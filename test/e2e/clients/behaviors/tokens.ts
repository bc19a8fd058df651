import { eventually } from '../../../support/assertions/eventually.js';
import { operate } from '../../../support/actors/operator.js';
import { anotherApp, type Stage } from '../support/stage.js';
import type { Behavior } from './behavior.js';

const TOKEN = 'POST /auth/token';
const CALL = 'GET /auth/introspect';

const introspect = ({ driver }: Stage, client: string, times = 1) =>
  Promise.all(Array.from({ length: times }, () => driver.call('tokens.introspect', {}, client)));

const endLastToken = (stage: Stage, change: string) =>
  stage.change(
    `${change} WHERE token_hash = (SELECT token_hash FROM access_tokens WHERE client_id = $1 ORDER BY created_at DESC LIMIT 1)`,
    [stage.app.sandbox.client_id],
  );

/** A client whose token no call has shown to the service, which remembers those that it has seen for a while. */
async function clientWithUnseenToken(stage: Stage, change: string): Promise<string> {
  const client = await stage.client({ max_retries: 0 });
  stage.gate.plan(CALL, { respond: 503 });
  await stage.driver.refusal('tokens.introspect', {}, client);
  expect(await endLastToken(stage, change)).toBe(1);
  stage.gate.reset();
  return client;
}

/** A client that has a token, and used it. */
async function clientWithToken(stage: Stage): Promise<string> {
  const client = await stage.client();
  expect(await introspect(stage, client)).toEqual([{ ok: expect.anything() }]);
  stage.gate.reset();
  return client;
}

export const TOKEN_BEHAVIORS: readonly Behavior[] = [
  [
    'requests one token for twenty calls at the same time',
    async (stage) => {
      const client = await stage.client();
      stage.gate.reset();
      const responses = await introspect(stage, client, 20);
      expect(responses.filter(({ ok }) => ok !== undefined)).toHaveLength(20);
      expect([stage.gate.of(TOKEN).length, stage.gate.of(CALL).length]).toEqual([1, 20]);
    },
  ],
  [
    'replaces an expired token once for all calls, and repeats each of them once',
    async (stage) => {
      const client = await clientWithUnseenToken(
        stage,
        "UPDATE access_tokens SET expires_at = now() - interval '1 second'",
      );
      // All are on their way before the first one is refused.
      let release = (): void => undefined;
      const hold = new Promise<void>((resolve) => {
        release = resolve;
      });
      stage.gate.plan(CALL, ...Array.from({ length: 5 }, () => ({ hold: () => hold })));
      const calls = introspect(stage, client, 5);
      await eventually(() => expect(stage.gate.of(CALL)).toHaveLength(5));
      release();
      expect((await calls).filter(({ ok }) => ok !== undefined)).toHaveLength(5);
      expect([stage.gate.of(TOKEN).length, stage.gate.of(CALL).length]).toEqual([1, 10]);
    },
  ],
  [
    'replaces a token that the service no longer knows',
    async (stage) => {
      const client = await clientWithUnseenToken(stage, 'DELETE FROM access_tokens');
      expect(await introspect(stage, client)).toEqual([{ ok: expect.anything() }]);
      expect([stage.gate.of(TOKEN).length, stage.gate.of(CALL).length]).toEqual([1, 2]);
    },
  ],
  [
    'works with both secrets of an overlap, and no longer with the one that ended',
    async (stage) => {
      const { dataDir } = stage.service;
      const { sandbox: pair } = await anotherApp(stage);
      const clientId = pair.client_id;
      const old = await stage.client(pair);
      const { client_secret: secret } = await operate<{ client_secret: string }>(
        dataDir,
        ...['clients', 'rotate', clientId, '--overlap', '1h'],
      );
      const next = await stage.client({ client_id: clientId, client_secret: secret });
      expect(await introspect(stage, old)).toEqual([{ ok: expect.anything() }]);
      expect(await introspect(stage, next)).toEqual([{ ok: expect.anything() }]);

      const [, first] = await operate<{ secret_id: string }[]>(
        dataDir,
        ...['clients', 'secrets', clientId],
      );
      await operate(dataDir, 'clients', 'end-secret', clientId, first?.secret_id ?? '', '--tokens');
      stage.gate.reset();
      expect(await introspect(stage, next)).toEqual([{ ok: expect.anything() }]);
      expect(await stage.driver.refusal('tokens.introspect', {}, old)).toMatchObject({
        family: 'AuthenticationError',
        status: 401,
        code: 'api_error.auth.unauthorized',
      });
      // One call of each client; the old one met a 401, and its pair buys no further token.
      expect([stage.gate.of(TOKEN).length, stage.gate.of(CALL).length]).toEqual([1, 2]);
    },
  ],
  [
    'does not repeat a token call that refuses the key pair, and does not show the secret',
    async (stage) => {
      const secret = 'canary-of-a-wrong-secret';
      const client = await stage.client({ client_secret: secret });
      stage.gate.reset();
      const error = await stage.driver.refusal('links.list', { query: {}, read: 'page' }, client);
      expect(error).toMatchObject({
        family: 'AuthenticationError',
        code: 'api_error.auth.unauthorized',
        status: 401,
        request_id: expect.any(String),
      });
      expect(stage.gate.requests).toHaveLength(1);
      expect(JSON.stringify(error)).not.toContain(secret);
      expect(await stage.driver.result('inspect', {}, client)).not.toContain(secret);
    },
  ],
  [
    'shows neither its secret nor its token when it is printed',
    async (stage) => {
      const client = await clientWithToken(stage);
      const [request] = await introspect(stage, client).then(() => stage.gate.of(CALL));
      const token = request?.headers.authorization?.replace('Bearer ', '') ?? '';
      expect(token).toMatch(/^\S{30,}$/);
      const shown = await stage.driver.result<string>('inspect', {}, client);
      for (const secret of [token, String(stage.options['client_secret'])])
        expect(shown).not.toContain(secret);
    },
  ],
  [
    'does not request another token for a link of another app',
    async (stage) => {
      const rival = await anotherApp(stage);
      const owner = await stage.client(rival.sandbox);
      const { link_id: linkId } = await stage.driver.result<{ link_id: string }>(
        'sandbox.createLink',
        { body: {} },
        owner,
      );
      const client = await clientWithToken(stage);
      expect(await stage.driver.refusal('links.get', { path: [linkId] }, client)).toMatchObject({
        family: 'PermissionDeniedError',
        status: 401,
        code: 'link_error.unauthorized_access',
      });
      expect(stage.gate.requests).toHaveLength(1);
    },
  ],
  [
    'does not request another token for a scope that its token lacks, and names the scope',
    async (stage) => {
      const linkId = await stage.link();
      const client = await stage.client({ scopes: ['links:read'] });
      expect(await introspect(stage, client)).toEqual([{ ok: expect.anything() }]);
      stage.gate.reset();
      const args = { path: [linkId], query: {} };
      for (let call = 1; call <= 3; call += 1)
        expect(await stage.driver.refusal('identity.get', args, client)).toMatchObject({
          family: 'AuthenticationError',
          status: 401,
          required_scope: 'identity:read',
        });
      expect([stage.gate.of(TOKEN).length, stage.gate.requests.length]).toEqual([0, 3]);
    },
  ],
  [
    'waits for a token call that fails for a moment',
    async (stage) => {
      const client = await stage.client();
      stage.gate.plan(TOKEN, { respond: 503, headers: { 'retry-after': '0' } }, 'lose_response');
      expect(await introspect(stage, client, 3)).toEqual(
        Array.from({ length: 3 }, () => ({ ok: expect.anything() })),
      );
      expect(stage.gate.of(TOKEN)).toHaveLength(3);
    },
  ],
];
