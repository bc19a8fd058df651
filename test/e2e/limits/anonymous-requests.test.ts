import type { RouteOptions } from '../../../apps/api/src/http/route.js';
import { routesOf } from '../../../apps/api/src/http/routes-of.js';
import { CONTROLLERS } from '../../../apps/api/src/server/api.module.js';
import { ApplicationRepository } from '../../../prisma/tenants/applications/application.repository.js';
import { eventually } from '../../support/assertions/eventually.js';
import { sendExactly, type ExactAnswer } from '../../support/actors/other-spellings.js';
import {
  clientId,
  clientSecret,
  openSession,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';

const BURST = 2;
/** More requests at once than a slow machine refills in the meantime. */
const AT_ONCE = 12;
const PAGES = [
  '/connect/start',
  '/connect/continue',
  '/connect/hosted',
  '/connect/oauth/callback',
  '/docs',
  '/compatibility/plaid',
  '/simplefin/create',
];
const ROUTES = CONTROLLERS.flatMap(routesOf);
const PROBES = ['/health/live', '/health/ready'];

let service: ApiInProcess;
beforeAll(async () => {
  service = await startApiInProcess({
    RATE_LIMIT_ANONYMOUS: `1/s:${BURST}`,
    TRUSTED_PROXIES: '127.0.0.0/8',
  });
});
afterAll(() => service?.close());

let lastAddress = 0;
const freshAddress = (): string => `198.51.100.${(lastAddress += 1)}`;

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

const send = (address: string, { headers = {}, ...sent }: Sent): Promise<ExactAnswer> =>
  sendExactly(service.api.baseUrl, {
    ...sent,
    headers: { 'x-forwarded-for': address, ...headers },
  });

/** Sends more requests at once than the limit of the address, and returns the refusals. */
async function refusalsOf(sent: Sent, address = freshAddress()): Promise<ExactAnswer[]> {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send(address, sent)));
  const refused = answers.filter(({ status }) => status === 429);
  expect({ ...sent, refused: refused.length }).not.toEqual({ ...sent, refused: 0 });
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  return refused;
}

const codesOf = (answers: readonly ExactAnswer[]): unknown[] => [
  ...new Set(
    answers.map(({ body }) => {
      const { error_code: code, error } = JSON.parse(body) as Record<string, unknown>;
      return code ?? error;
    }),
  ),
];

const sampleOf = ({ method, path }: RouteOptions): Sent => ({
  method,
  path: path.replaceAll(/:\w+/g, 'sample'),
});

const form = (fields: Record<string, string>): Pick<Sent, 'headers' | 'body'> => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const json = (body: object): Pick<Sent, 'headers' | 'body'> => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('The limit of requests without a valid credential', () => {
  const isOfHandler = ({ auth }: RouteOptions) => auth === 'handler';
  const calls = ROUTES.filter(
    (route) => !isOfHandler(route) && ![...PROBES, ...PAGES].includes(route.path),
  );

  it.each(calls.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'applies to %s, with the 429 of its API',
    async (_call, route) => {
      expect(codesOf(await refusalsOf(sampleOf(route)))).toEqual([
        route.family === 'connect' ? 'connect_error.rate_limited' : 'api_error.rate_limit_exceeded',
      ]);
    },
  );

  const pair = { client_id: 'sandbox_guess', client_secret: 'guess' };
  it.each<[string, Sent, string]>([
    ['wrong tokens', { path: '/links', headers: bearer('guess') }, 'api_error.rate_limit_exceeded'],
    [
      'wrong tokens of Connect',
      { path: '/connect/api/session', headers: bearer('guess') },
      'connect_error.rate_limited',
    ],
    [
      'wrong key pairs of token calls',
      { method: 'POST', path: '/auth/token', ...form(pair) },
      'api_error.rate_limit_exceeded',
    ],
    [
      'wrong key pairs of OAuth clients',
      {
        method: 'POST',
        path: '/oauth/token',
        ...form({ grant_type: 'client_credentials', ...pair }),
      },
      'temporarily_unavailable',
    ],
    [
      'wrong addresses of provider webhooks',
      { method: 'POST', path: '/provider-webhooks/sample/guess' },
      'api_error.rate_limit_exceeded',
    ],
    ['unknown paths', { path: '/nothing' }, 'api_error.rate_limit_exceeded'],
    [
      'tokens at unknown paths',
      { path: '/nothing', headers: bearer('guess') },
      'api_error.rate_limit_exceeded',
    ],
    ['assets', { path: '/connect/assets/x.js' }, 'api_error.rate_limit_exceeded'],
    ['unknown paths of Connect', { path: '/connect/api/nothing' }, 'connect_error.rate_limited'],
    [
      'wrong key pairs of Plaid clients',
      {
        method: 'POST',
        path: '/item/get',
        ...json({ client_id: 'guess', secret: 'guess', access_token: 'x' }),
      },
      'RATE_LIMIT',
    ],
    [
      'paths of Plaid that are not offered',
      { method: 'POST', path: '/transfer/get' },
      'RATE_LIMIT',
    ],
    [
      'unknown paths of Plaid clients',
      { path: '/nothing', headers: { 'plaid-client-id': 'guess' } },
      'RATE_LIMIT',
    ],
  ])('applies to %s, in their form', async (_what, sent, code) => {
    expect(codesOf(await refusalsOf(sent))).toEqual([code]);
  });

  it('applies to calls of SimpleFIN without a credential, with a line of text', async () => {
    const [refused] = await refusalsOf({ path: '/simplefin/info' });
    expect({ type: refused?.headers['content-type'], body: refused?.body }).toEqual({
      type: 'text/plain; charset=utf-8',
      body: 'Too many requests without a valid credential came from this address.',
    });
  });

  it.each(PAGES)('shows people a page in their language at %s', async (path) => {
    const [refused] = await refusalsOf({ path, headers: { 'accept-language': 'de' } });
    expect(refused?.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(refused?.body).toContain('Einen Moment bitte');
    const isFramed = ['/connect/start', '/connect/continue'].includes(path);
    const policy = String(refused?.headers['content-security-policy']);
    expect({
      forbidsFrames: policy.includes("frame-ancestors 'none'"),
      xFrameOptions: refused?.headers['x-frame-options'],
    }).toEqual({ forbidsFrames: !isFramed, xFrameOptions: isFramed ? undefined : 'DENY' });
  });

  it('lets the page of Connect read its refusal', async () => {
    const origin = new URL(service.connectBaseUrl).origin;
    const [refused] = await refusalsOf({
      method: 'POST',
      path: '/connect/api/session/open',
      headers: { origin },
    });
    expect(refused?.headers['access-control-allow-origin']).toBe(origin);
    expect(refused?.headers['access-control-expose-headers']).toContain('Retry-After');
  });

  it('counts an IPv6 network of one caller, a /64, as one address, and every other address separately', async () => {
    const answers = (addresses: readonly string[]) =>
      Promise.all(addresses.map((address) => send(address, { path: '/nothing' })));
    const hosts = Array.from({ length: AT_ONCE }, (_, index) => index + 1);
    const ofOneNetwork = await answers(hosts.map((host) => `2001:db8:0:1::${host}`));
    expect(ofOneNetwork.map(({ status }) => status)).toContain(429);
    const ofMany = await answers(hosts.map((host) => `2001:db8:1:${host}::1`));
    expect(ofMany.map(({ status }) => status)).toEqual(hosts.map(() => 404));
  });

  it('counts callers as one when their proxy passes on no address', async () => {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => send(`made-up-${index}`, { path: '/nothing' })),
    );
    expect(answers.map(({ status }) => status)).toContain(429);
  });

  it.each(PROBES)('exempts %s, which the probes of a load balancer read', async (path) => {
    const address = freshAddress();
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => send(address, { path })),
    );
    expect(answers.map(({ status }) => status)).not.toContain(429);
  });
});

describe('A valid credential', () => {
  const keys = () => ({
    client_id: clientId('pocket-ledger', 'sandbox'),
    secret: clientSecret('pocket-ledger', 'sandbox'),
  });
  const tokenForm = () => form({ client_id: keys().client_id, client_secret: keys().secret });

  /** A call with each kind of credential, and the status of its success. */
  let calls: [Sent, number][];
  let rival: string;
  beforeAll(async () => {
    rival = await service.token('rival');
    const token = await service.token('pocket-ledger');
    const { connectToken } = await openSession(service, token);
    calls = [
      [{ path: '/links', headers: bearer(token) }, 200],
      [{ path: '/connect/api/session', headers: bearer(connectToken) }, 200],
      [{ method: 'POST', path: '/auth/token', ...tokenForm() }, 201],
      [
        {
          method: 'POST',
          path: '/institutions/search',
          ...json({ ...keys(), query: 'a', products: null, country_codes: ['US'] }),
        },
        200,
      ],
    ];
  });

  it('exempts its requests from the limit, however many there are', async () => {
    const address = freshAddress();
    for (const [sent, status] of calls)
      for (let count = 0; count < 2 * BURST; count += 1)
        expect({ path: sent.path, status: (await send(address, sent)).status }).toEqual({
          path: sent.path,
          status,
        });
  });

  it('keeps working just after it was looked up, while a neighbor at the same address uses up the limit', async () => {
    const address = freshAddress();
    for (const [sent] of calls) await send(address, sent);
    const guesses = Array.from({ length: AT_ONCE }, () =>
      send(address, { path: '/links', headers: bearer('guess') }),
    );
    const answers = await Promise.all(
      [0, 1, 2].flatMap(() => calls.map(([sent]) => send(address, sent))),
    );
    expect((await Promise.all(guesses)).map(({ status }) => status)).toContain(429);
    expect(answers.map(({ status }) => status)).toEqual(
      [0, 1, 2].flatMap(() => calls.map(([, status]) => status)),
    );
  });

  it('counts as wrong once it has expired', async () => {
    const address = freshAddress();
    const sent = { path: '/links', headers: bearer(rival) };
    expect((await send(address, sent)).status).toBe(200);
    await new ApplicationRepository(service.ctx).setDisabled(clientId('rival', 'sandbox'), true);
    await eventually(async () => expect((await send(freshAddress(), sent)).status).toBe(401));
    await refusalsOf(sent, address);
  });
});
