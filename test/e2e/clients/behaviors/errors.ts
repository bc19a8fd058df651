import type { Stage } from '../support/stage.js';
import type { Behavior } from './behavior.js';

/** A call that the service refuses, and the error that describes it. */
interface Refusal {
  call: string;
  args: object;
  error: object;
}

const REFUSALS: readonly Refusal[] = [
  {
    call: 'links.get',
    args: { path: ['mk_nowhere'] },
    error: { family: 'NotFoundError', status: 404, code: 'link_error.not_found' },
  },
  {
    call: 'institutions.get',
    args: { path: ['a/b c?d'] },
    error: { family: 'NotFoundError', status: 404, code: 'institution_error.not_found' },
  },
  {
    call: 'linkSessions.create',
    args: { body: { customer_user: {}, tags: ['-'] } },
    error: {
      family: 'ValidationError',
      status: 422,
      code: 'api_error.request.validation_failed',
      issues: [
        { location: ['body', 'customer_user', 'id'], type: 'missing', message: expect.any(String) },
        { location: ['body', 'tags', 0], type: 'invalid', message: expect.any(String) },
      ],
    },
  },
  {
    call: 'linkSessions.exchangeToken',
    args: { body: { exchangeable_token: 'used' } },
    error: {
      family: 'ValidationError',
      status: 400,
      code: 'link_session_error.invalid_token_exchange',
      issues: [],
    },
  },
];

export const ERROR_BEHAVIORS: readonly Behavior[] = [
  [
    'reports each refusal by its family, with its code, request id and documentation',
    async (stage) => {
      const client = await stage.client();
      for (const { call, args, error } of REFUSALS)
        expect({ call, ...(await stage.driver.refusal(call, args, client)) }).toMatchObject({
          call,
          ...error,
          request_id: expect.stringMatching(/^.{8,64}$/),
          documentation_url: expect.stringContaining('/docs#error-'),
        });
    },
  ],
  [
    'reports a link that needs its owner, while its data stays readable, and one that is gone',
    async (stage) => {
      const client = await stage.client();
      const linkId = await stage.link();
      const refresh = { path: [linkId], body: { products: ['transactions'] } };
      await stage.driver.result('links.reset', { path: [linkId] }, client);
      expect(await stage.driver.refusal('links.refreshProducts', refresh, client)).toMatchObject({
        family: 'LinkNeedsOwnerError',
        status: 422,
        code: 'link_error.bad_state',
        link_error_code: 'auth_expired',
      });
      const { accounts } = await stage.driver.result<{ accounts: unknown[] }>(
        'accounts.list',
        { path: [linkId] },
        client,
      );
      expect(accounts).not.toEqual([]);
      expect(await stage.driver.result('links.delete', { path: [linkId] }, client)).toBeNull();
      expect(await stage.driver.refusal('accounts.list', { path: [linkId] }, client)).toMatchObject(
        {
          family: 'NotFoundError',
          status: 410,
          code: 'link_error.deleted',
        },
      );
    },
  ],
  [
    'reports a Sandbox call with a Live pair',
    async (stage) => {
      const client = await stage.client({ ...stage.app.live });
      expect(await stage.driver.refusal('sandbox.listWorlds', {}, client)).toMatchObject({
        family: 'PermissionDeniedError',
        status: 403,
        code: 'api_error.sandbox_only',
      });
    },
  ],
  [
    'refuses wrong options before it sends anything, and never repeats a secret',
    async (stage) => {
      const secret = 'canary-of-the-options';
      const wrong: object[] = [
        { base_url: 'api.example' },
        { ...stage.options, base_url: 'http://api.example', client_secret: secret },
        { ...stage.options, base_url: 'http://192.0.2.7:4000', client_secret: secret },
        { ...stage.options, base_url: 'http://127.0.0.1.example', client_secret: secret },
        { base_url: `https://user:${secret}@api.example` },
        { ...stage.options, environment: 'live', client_secret: secret },
        { ...stage.options, environment: 'test' },
        { base_url: stage.gate.url, client_secret: secret },
        { ...stage.options, timeout_ms: 0 },
        {},
      ];
      for (const options of wrong) {
        const error = await stage.driver.refusal('new', options, 'wrong');
        expect({ options, ...error }).toMatchObject({ options, family: 'ConfigurationError' });
        expect(error.text).not.toContain(secret);
      }
      for (const address of ['http://127.0.0.9:1', 'http://[::1]:1', 'http://localhost:1'])
        await stage.driver.result('new', { ...stage.options, base_url: address }, 'on loopback');
      const asked = { ...stage.options, base_url: 'http://api.example', allow_http: true };
      await stage.driver.result('new', asked, 'over plain http by choice');
      await stage.driver.result('new', { base_url: stage.gate.url }, 'without a pair');
      stage.gate.reset();
      expect(
        await stage.driver.refusal('links.get', { path: ['mk'] }, 'without a pair'),
      ).toMatchObject({ family: 'ConfigurationError' });
      for (const id of ['', '..'])
        expect(
          await stage.driver.refusal('links.delete', { path: [id] }, await stage.client()),
        ).toMatchObject({ family: 'ConfigurationError' });
      expect(stage.gate.requests).toEqual([]);
    },
  ],
  ['finds its options in the variables of sandbox.env', findsVariables],
  [
    'sends the version of the API that its types describe',
    async (stage) => {
      const client = await stage.client();
      stage.gate.reset();
      await stage.driver.result('links.list', { query: {}, read: 'page' }, client);
      expect(stage.gate.of('GET /links')[0]?.headers['service-version']).toBe('2026-11-27');
    },
  ],
];

async function findsVariables(stage: Stage): Promise<void> {
  const { client_id: id, client_secret: secret } = stage.app.sandbox;
  const driver = stage.another({
    TRIBUTARY_URL: stage.gate.url,
    CLIENT_ID: id,
    CLIENT_SECRET: secret,
  });
  await driver.result('new');
  expect(await driver.result('tokens.introspect')).toMatchObject({ client_id: id });
  // An option wins.
  await driver.result('new', { client_secret: 'another' });
  expect(await driver.refusal('tokens.introspect')).toMatchObject({
    family: 'AuthenticationError',
  });
  expect(await driver.end()).toBe('');
}
