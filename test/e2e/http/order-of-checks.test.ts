import { eventually } from '../../support/assertions/eventually.js';
import { errorOf, type ApiRequest } from '../../support/services/api-client.js';
import {
  clientId,
  connectedLink,
  forceLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';

let service: ApiInProcess;
let token: string;
let expired: string;
const links: Record<string, string> = {};

beforeAll(async () => {
  service = await startApiInProcess({ RATE_LIMIT_API: '2/s:200' });
  token = await service.token('pocket-ledger');
  expired = await service.token('pocket-ledger');
  await service.database.prisma.accessToken.updateMany({
    where: { clientId: clientId('pocket-ledger', 'sandbox'), scope: { has: 'links:read' } },
    data: { expiresAt: new Date(0) },
  });
  token = await service.token('pocket-ledger');
  for (const kind of ['deleted', 'not_granted', 'broken', 'readable']) {
    links[kind] = await connectedLink(
      service,
      token,
      kind === 'not_granted' ? { settings: { products: [] } } : {},
    );
  }
  links['foreign'] = await connectedLink(service, await service.token('rival'));
  await service.api.as(token).delete(`/links/${links['deleted']}`);
  await forceLink(service, links['not_granted'] ?? '', { state: 'connecting' });
  await forceLink(service, links['broken'] ?? '', { state: 'error', errorCode: 'auth_expired' });
});

afterAll(async () => {
  await service?.close();
});

const badVersion = { 'service-version': 'x' };
const asJson = { 'content-type': 'application/json' };

/**
 * Each row also has every mistake of the rows below it, and receives the error of its own.
 * native-api 1.3; checks-of-protocols.test.ts has the checks that need no link.
 */
describe('The first failing check decides the response (native-api 1.3)', () => {
  it.each<[string, () => ApiRequest, number, string]>([
    [
      '2 an expired token',
      () => ({ token: expired, raw: '{', headers: { ...asJson, ...badVersion } }),
      401,
      'api_error.auth.expired_access_token',
    ],
    [
      '5 shape of what is in the body',
      () => ({
        token,
        json: { customer_user: { id: 'u' }, webhook: 'x', existing_link_id: 'mk_nobody' },
      }),
      422,
      'api_error.request.validation_failed',
    ],
    [
      '7 existence',
      () => ({
        token,
        json: {
          customer_user: { id: 'u' },
          existing_link_id: 'mk_nobody',
          connect_features: { issue_reporter: true },
        },
      }),
      404,
      'link_error.not_found',
    ],
  ])('to POST /link-session: check %s', async (_step, request, status, code) => {
    expect(errorOf(await service.api.post('/link-session', request()))).toMatchObject({
      status,
      code,
    });
  });

  it.each<[string, string, string, () => ApiRequest, number, string]>([
    [
      '2 authentication',
      'foreign',
      '?size=0',
      () => ({ token: null, headers: badVersion }),
      401,
      'api_error.auth.unauthorized',
    ],
    [
      '4 version',
      'foreign',
      '?size=0',
      () => ({ token, headers: badVersion }),
      400,
      'api_error.request.unsupported_version',
    ],
    [
      '5 shape',
      'foreign',
      '?size=0',
      () => ({ token }),
      422,
      'api_error.request.validation_failed',
    ],
    [
      '5 a cursor',
      'foreign',
      '?cursor=x',
      () => ({ token }),
      422,
      'api_error.request.validation_failed',
    ],
    ['7 existence', 'no_one', '', () => ({ token }), 404, 'link_error.not_found'],
    ['8 ownership', 'foreign', '', () => ({ token }), 401, 'link_error.unauthorized_access'],
    ['9 deletion', 'deleted', '', () => ({ token }), 410, 'link_error.deleted'],
    ['10 permission', 'not_granted', '', () => ({ token }), 403, 'link_error.forbidden_action'],
    ['11 state', 'broken', '', () => ({ token }), 422, 'link_error.bad_state'],
  ])(
    'to GET /links/{id}/transactions/sync: check %s',
    async (_step, link, query, request, status, code) => {
      expect(
        errorOf(
          await service.api.get(
            `/links/${links[link] ?? link}/transactions/sync${query}`,
            request(),
          ),
        ),
      ).toMatchObject({ status, code });
    },
  );

  it('to any call: check 3 rate limit, before version and shape', async () => {
    const rival = await service.token('rival', 'live');
    const responses = await Promise.all(
      Array.from({ length: 260 }, () =>
        service.api.get('/links?limit=0', { token: rival, headers: badVersion }),
      ),
    );
    const limited = responses.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(
      errorOf(
        limited[0] ?? responses[0] ?? { status: 0, headers: new Headers(), text: '', body: {} },
      ),
    ).toMatchObject({ code: 'api_error.rate_limit_exceeded' });
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await service.api.get(`/links/${links['readable']}`, { token })).status).toBe(200);
  });
});

describe('A disabled client', () => {
  it('is refused at once, and so is its secret', async () => {
    const before = await service.token('rival');
    expect((await service.api.get('/links', { token: before })).status).toBe(200);
    await service.database.prisma.apiClient.update({
      where: { clientId: clientId('rival', 'sandbox') },
      data: { disabledAt: new Date() },
    });
    // The token itself is valid for an hour. Each API keeps it for seconds.
    await eventually(async () =>
      expect((await service.api.get('/links', { token: before })).status).toBe(401),
    );
    const { status } = await service.api.post('/auth/token', {
      form: { client_id: clientId('rival', 'sandbox'), client_secret: 'secret-of-sandbox-rival' },
    });
    expect(status).toBe(401);
  });
});

describe('The headers of a response', () => {
  it('echo a valid request id, and replace an invalid one', async () => {
    const sent = async (value: string) =>
      (
        await service.api.get('/health/live', { headers: { 'service-request-id': value } })
      ).headers.get('service-request-id');
    expect(await sent('abc_DEF-1')).toBe('abc_DEF-1');
    expect(await sent('x'.repeat(64))).toBe('x'.repeat(64));
    expect(await sent('x'.repeat(65))).toMatch(/^[0-9a-f-]{36}$/);
    expect(await sent('a b')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('echo the version, and allow caching only where it is permitted', async () => {
    const cached = async (path: string) => {
      const { headers } = await service.api.get(path, { token });
      return [
        headers.get('cache-control'),
        headers.get('service-version'),
        headers.get('etag'),
        headers.get('x-powered-by'),
      ];
    };
    expect(await cached('/links')).toEqual(['no-store', '2026-11-27', null, null]);
    expect(await cached('/.well-known/jwks.json')).toEqual([
      'public, max-age=300',
      '2026-11-27',
      null,
      null,
    ]);
    expect(await cached('/institutions/sandbox-instant-bank/avatar.svg')).toEqual([
      'public, max-age=86400',
      '2026-11-27',
      null,
      null,
    ]);
    expect(await cached(`/links/${links['readable']}/transactions/sync`)).toEqual([
      'private, no-cache',
      '2026-11-27',
      expect.stringMatching(/^"[\w-]{43}"$/),
      null,
    ]);
  });
});
