import { VECTOR_BODY, VECTOR_SIGNATURE } from '../../../support/receivers/webhook-forgeries.js';
import type { Behavior } from './behavior.js';

const SESSION = { customer_user: { id: 'user-1' } };
const create = (options: object) => ['linkSessions.create', { body: SESSION, options }] as const;
const read = (options: object) => ['links.get', { path: ['mk_1'], options }] as const;
const get = (id: unknown) => ['links.get', { path: [id] }] as const;

/** Arguments that cannot be sent, or that would call something else. */
const WRONG_CALLS: readonly (readonly [call: string, args: object])[] = [
  ...[null, 5, true, {}, '', '.', '..', '\uD800'].map(get),
  ['users.listLinks', { path: [''], query: {}, read: 'all' }],
  ['accounts.get', { path: ['mk_1', null] }],
  ...['', 'two words', 'line\n', 'é', '€', 'k'.repeat(256), 5].map((key) =>
    create({ idempotency_key: key }),
  ),
  ...[0, -1, 2 ** 31, 'soon', true].map((timeout) => read({ timeout_ms: timeout })),
  ...[-1, 1.5, 'many', true].map((retries) => read({ max_retries: retries })),
  ['links.list', { query: { user: { id: 'user-1' } }, read: 'all' }],
];

const verify = (args: object) =>
  [
    'webhooks.verify',
    {
      body_base64: VECTOR_BODY.toString('base64'),
      headers: { 'service-signature': VECTOR_SIGNATURE },
      ...args,
    },
  ] as const;
const WRONG_VERIFICATIONS = [
  verify({ received_at: 'yesterday' }),
  verify({ headers: null }),
  verify({ headers: 5 }),
];

const WRONG_OPTIONS: readonly object[] = [
  { base_url: 'http://[::1' },
  { base_url: 'https://api.example:99999' },
  { base_url: 5 },
  { client_id: 5 },
  { app_id: 5 },
  { scopes: 'links:read' },
  { scopes: [5] },
  { header_prefix: '' },
  { header_prefix: 'two words' },
  { timeout_ms: 2 ** 31 },
  { timeout_ms: 'soon' },
  { max_retries: 1.5 },
  { headers: 'x-team: ledger' },
  { headers: { 'two words': 'x' } },
  { headers: { 'x-team': 'é' } },
  { headers: { 'x-team': 'a\r\nb: c' } },
  { headers: { 'x-team': 5 } },
  { headers: { Authorization: 'Bearer of-another' } },
  { headers: { 'Idempotency-Key': 'the-same-for-all' } },
  { headers: { Connection: 'close' } },
  { headers: { 'service-version': '2023-02-18' } },
];

export const ARGUMENT_BEHAVIORS: readonly Behavior[] = [
  [
    'refuses wrong arguments of a call as errors of its own, before it sends anything',
    async ({ driver, gate, client: make }) => {
      const client = await make();
      gate.reset();
      for (const [call, args] of [...WRONG_CALLS, ...WRONG_VERIFICATIONS]) {
        const { ok, error } = await driver.call(call, args, client);
        expect({ call, args, ok, error }).toMatchObject({
          ...{ call, args, ok: undefined },
          error: { family: 'ConfigurationError', code: 'configuration' },
        });
      }
      expect(gate.requests).toEqual([]);
    },
  ],
  [
    'refuses wrong options as errors of its own',
    async ({ driver, options: good }) => {
      for (const options of WRONG_OPTIONS)
        expect({
          options,
          ...(await driver.refusal('new', { ...good, ...options }, 'wrong')),
        }).toMatchObject({ options, family: 'ConfigurationError', code: 'configuration' });
    },
  ],
  [
    'sends the headers of its options with each request, and with no other client',
    async ({ driver, gate, client: make }) => {
      const client = await make({ headers: { 'X-Team': 'ledger', 'User-Agent': 'pocket/1' } });
      gate.reset();
      await driver.result('tokens.introspect', {}, client);
      expect(gate.requests.map(({ path }) => path)).toEqual(['/auth/token', '/auth/introspect']);
      for (const { headers } of gate.requests)
        expect(headers).toMatchObject({ 'x-team': 'ledger', 'user-agent': 'pocket/1' });
      gate.reset();
      await driver.result('tokens.introspect', {}, await make());
      for (const { headers } of gate.requests) expect(headers).not.toHaveProperty('x-team');
    },
  ],
];
